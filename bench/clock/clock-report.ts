/** Prints the measured clock moves and their targets. */

import { barResult } from '../figures.ts'
import type { MoveFigures } from './clock-moves.ts'

const ANSWERED_MAX_SECONDS = 10

/** One line per move. */
export function clockLines(moves: readonly MoveFigures[]): readonly string[] {
  return [
    'Moves of the sandbox clock with open payments:',
    ...moves.map(({ advance, open, answeredSeconds, endedSeconds }) => {
      const answered = `answered after ${answeredSeconds.toFixed(1)} s (bar: at most ${ANSWERED_MAX_SECONDS} s) ${barResult(answeredSeconds <= ANSWERED_MAX_SECONDS)}`
      return `  ${advance.padEnd(5)} ${open} open: ${answered}, ended after ${endedSeconds.toFixed(1)} s`
    }),
  ]
}
