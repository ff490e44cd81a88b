// Renders components of pages whose code loads when they are first shown. One that cannot be loaded says so in its place: the page around it
// stays, with all entered input.
import {
  Component,
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import { Button } from './button'
import { Loading, Notice } from './feedback'
import { Dialog } from './popups/dialog'

/**
 * Returns a component whose code loads when it is first shown, and again when the user retries after a failure.
 * @param fallback shown while it loads
 * @param failed shows that it could not be loaded
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = () => <Loading />,
  failed: (notice: ReactNode, props: Props) => ReactNode = (notice) => notice,
): (props: Props) => ReactNode {
  let latest = lazy(load)
  return function LazyComponent(props: Props) {
    const [Loaded, setLoaded] = useState<LazyExoticComponent<ComponentType<Props>>>(() => latest)
    return (
      <ComponentBoundary
        onFailure={() => {
          // A lazy component that failed never loads again, so that a new one is made.
          latest = lazy(load)
        }}
        onRetry={() => setLoaded(() => latest)}
        failed={(notice) => failed(notice, props)}
      >
        <Suspense fallback={fallback(props)}>
          <Loaded {...props} />
        </Suspense>
      </ComponentBoundary>
    )
  }
}

/** The fallback of a component that need not announce itself. */
export const nothing = () => null

/**
 * Returns a dialog whose code loads when it first opens. What shows that it could not be loaded is a dialog too, wherever the component is.
 * @param fallback shown while it loads
 */
export const lazyDialog = <Props extends { onClose(): void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = nothing,
) =>
  lazyComponent(load, fallback, (notice, { onClose }: Props) => (
    <Dialog
      title="This could not be opened"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {notice}
    </Dialog>
  ))

interface BoundaryProps {
  failed(notice: ReactNode): ReactNode
  onFailure(): void
  onRetry(): void
  children: ReactNode
}

class ComponentBoundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    this.props.onFailure()
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.failed(
      <Notice tone="bad">
        This part of the page could not be loaded. What you entered is still here.{' '}
        <Button
          onClick={() => {
            this.setState({ hasFailed: false })
            this.props.onRetry()
          }}
        >
          Try again
        </Button>{' '}
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </Notice>,
    )
  }
}
