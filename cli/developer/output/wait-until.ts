/** Repeats a request until its answer is final, or Ctrl-C ends the command. */
import { setTimeout } from 'node:timers/promises'

const POLL_MILLISECONDS = 1_000

/** Returns the first answer that is final. Rejects when the signal is aborted. */
export async function waitUntil<Answer>(
  request: () => Promise<Answer>,
  isFinal: (answer: Answer) => boolean,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    const answer = await request()
    if (isFinal(answer)) {
      return answer
    }
    await setTimeout(POLL_MILLISECONDS, undefined, { signal })
  }
}
