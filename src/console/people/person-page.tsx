export function PersonPage() {
  return null
}
