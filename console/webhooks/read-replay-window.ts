/** Reads the days between which events are replayed, as a user entered them. */
import type { ReplayRequest } from '../../gateway/webhooks/events/replay-events.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { ReplayEntry } from './subscription-page.ts'

export type ReplayWindow = Pick<ReplayRequest, 'since' | 'until'>

/** Days are those of the reader, and the last one is included. No window where a day is wrong, as the entry says. */
export function readReplayWindow({ form }: Pick<ConsoleRequest, 'form'>): {
  readonly window: ReplayWindow | undefined
  readonly entry: ReplayEntry
} {
  const query = new URLSearchParams({ from: form.text('from'), to: form.text('to') })
  const filters = filterReader(query)
  const { createdFrom: since, createdBefore: until } = filters.period()
  const errors = new Map(filters.errors)
  if (query.get('from') === '') {
    errors.set('from', consoleText('filters.noDay'))
  }
  const window = errors.size > 0 || since === undefined ? undefined : { since, until }
  return { window, entry: { query, errors } }
}
