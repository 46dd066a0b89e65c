/** Renders how much of something is done. */

const WIDTH = 30

/** For example `██████░░░░  120 of 300 final`. */
export function progressBar(done: number, total: number, what: string): string {
  const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total)
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}  ${done} of ${total} ${what}`
}
