/** Defines the data sets of the sandbox, and the state of the one that was loaded last. */

/** `empty`: nothing is ordered, partners stay. `demo`: as after the first start. The others add payments to that. */
export const DATA_SETS = ['empty', 'demo', 'month', '100000-payments'] as const
export type DataSetName = (typeof DATA_SETS)[number]

/** Payments in the past, all of them final and booked on the account if they were completed, and payments of today that are open at the sandbox bank. */
export type HistoryPlan = {
  readonly payments: number
  /** How far they go back; the last one was ordered yesterday. */
  readonly days: number
  readonly openPayments: number
}

/** Null for those without payments. */
export const HISTORY_OF_DATA_SET: Readonly<Record<DataSetName, HistoryPlan | null>> = {
  empty: null,
  demo: null,
  month: { payments: 600, days: 30, openPayments: 6 },
  '100000-payments': { payments: 100_000, days: 365, openPayments: 6 },
}

/** What a load does, in this order; a set without payments ends after the partners. */
export const LOAD_STEPS = ['delete', 'partners', 'consent', 'payments', 'entries', 'orders', 'finish'] as const
export type LoadStep = (typeof LOAD_STEPS)[number]

/** The load that was begun last. */
export type DataSetLoad = {
  readonly name: DataSetName
  readonly state: 'loading' | 'loaded' | 'failed'
  readonly step: LoadStep
  /** Of the step's rows. */
  readonly done: number
  readonly total: number
  /** Wall time. */
  readonly startedAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  /** Why it failed. */
  readonly error: string | null
}

/** A process that loads reports at least this often; without a report it has ended. */
const SILENT_SECONDS_MAX = 60

/** Whether its process ended before it did; another load deletes what it has left. */
export function isInterrupted({ state, updatedAt }: DataSetLoad, real: Temporal.Instant): boolean {
  return state === 'loading' && real.since(updatedAt).total('seconds') > SILENT_SECONDS_MAX
}
