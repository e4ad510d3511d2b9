/** The same drawing as the page's icon. */
export function Logo({ size }: { size: number }) {
  const length = `${size / 16}rem`;
  return (
    <svg width={length} height={length} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3b5bdb" />
      <path
        d="M8 11.5A3.5 3.5 0 0 1 11.5 8h9a3.5 3.5 0 0 1 3.5 3.5v5a3.5 3.5 0 0 1-3.5 3.5H16l-4.6 4v-4A3.5 3.5 0 0 1 8 16.5z"
        fill="#fff"
      />
      <path
        d="m16 10.3 1.1 2.3 2.5.3-1.8 1.7.4 2.5-2.2-1.2-2.2 1.2.4-2.5-1.8-1.7 2.5-.3z"
        fill="#3b5bdb"
      />
    </svg>
  );
}
