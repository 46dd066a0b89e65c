/** Formats the results of the steps as a table. */
import type { ClientOutcome } from './client-step.ts'

/** The result of one step; `failure` says why it failed. */
export type OutcomeRow = ClientOutcome & {
  readonly name: string
  readonly seconds: number
  readonly failure?: string
}

const COLUMNS = ['step', 'language', 'operations', 'compiled', 'paid', 'seconds', 'result'] as const

/** One line for each step below the names of the columns; an en dash where a step shows nothing. */
export function outcomeTable(rows: readonly OutcomeRow[]): string {
  const cells = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf({ name, seconds, failure, language, operations, compiled, paid }: OutcomeRow): readonly string[] {
  const shown = [language, operations, compiled, paid].map((cell) => cell ?? '–')
  return [name, ...shown, String(seconds), failure === undefined ? 'passed' : 'FAILED']
}
