export const Mark = () => (
  <svg
    width="20"
    height="20"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    aria-hidden
  >
    <path d="M6 21V3" />
    <path
      d="M6 4c4-2 7 2 12 0v9c-5 2-8-2-12 0"
      fill="currentColor"
      fillOpacity=".25"
      strokeLinejoin="round"
    />
  </svg>
)
