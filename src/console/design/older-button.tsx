import { Button } from './button'

interface OlderButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> }
}

/** Reads the next page of a list, newest first, as long as there is one. */
export const OlderButton = ({ list }: OlderButtonProps) =>
  list.hasNextPage && (
    <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show older
    </Button>
  )
