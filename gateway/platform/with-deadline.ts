/** Awaits work that may not end by itself. */

/** Awaits the work, and calls `onDeadline` when it has not ended by then. */
export async function withDeadline(
  work: Promise<void>,
  { milliseconds, onDeadline }: { readonly milliseconds: number; readonly onDeadline: () => void },
): Promise<void> {
  const deadline = setTimeout(onDeadline, milliseconds)
  try {
    await work
  } finally {
    clearTimeout(deadline)
  }
}
