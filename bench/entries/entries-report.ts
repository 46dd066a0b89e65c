/** Renders the account entry figures and their targets. */

import { barResult } from '../figures.ts'
import type { EntriesFigures, ListFigures } from './account-entries.ts'

const FIRST_BYTE_MAX_MILLISECONDS = 1_000
const MEMORY_MAX_MEGABYTES = 250
/** Maximum cost per entry of the longest list, relative to a list a tenth as long; requests dominate short lists. */
const COST_RATIO_MAX = 1.2

/** One line per figure. */
export function entriesLines({ lists, peakMegabytes, extended }: EntriesFigures): readonly string[] {
  const longest = lists.at(-1)
  const ratio = costOf(longest) / costOf(lists.at(-2))
  const first = longest?.firstByteMilliseconds ?? Number.NaN
  const { detailCalls, enriched, entries } = extended
  const { before, after } = peakMegabytes
  return [
    'Account entries of a year, read to the end at the sandbox bank:',
    ...lists.map(listLine),
    `  cost per entry, relative to the next list ${ratio.toFixed(2)} times (bar: at most ${COST_RATIO_MAX}) ${barResult(ratio <= COST_RATIO_MAX)}`,
    `  first byte, including the bank's first page ${first.toFixed(0)} ms (bar: at most ${FIRST_BYTE_MAX_MILLISECONDS} ms after that page) ${barResult(first <= FIRST_BYTE_MAX_MILLISECONDS)}`,
    `  gateway peak memory ${after.toFixed(0)} MB, ${before.toFixed(0)} MB before it (bar: at most ${MEMORY_MAX_MEGABYTES} MB) ${barResult(after <= MEMORY_MAX_MEGABYTES)}`,
    `  extended: ${detailCalls} calls for details, ${enriched} of ${entries} entries enriched (${((100 * enriched) / entries).toFixed(1)} %), ${(extended.wholeMilliseconds / 1000).toFixed(1)} s`,
  ]
}

function listLine(list: ListFigures): string {
  const { entries, pages, megabytes, wholeMilliseconds } = list
  const seconds = (wholeMilliseconds / 1000).toFixed(1)
  const size = `${pages} pages, ${megabytes.toFixed(1)} MB`
  return `  ${String(entries).padStart(7)} entries, ${size}: ${seconds} s, ${costOf(list).toFixed(3)} ms each`
}

function costOf(list: ListFigures | undefined): number {
  return list === undefined ? Number.NaN : list.wholeMilliseconds / list.entries
}
