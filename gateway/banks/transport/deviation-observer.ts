/** Counts and logs how banks' answers differ from their standard, without any part of an answer. */
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { AnswerDeviation, DeviationObserver } from '../connector/connector-dependencies.ts'

/** The same deviation is logged again after this time, so that a bank that always deviates does not fill the log. */
const LOGGED_AGAIN_AFTER_MILLISECONDS = 3_600_000
/** More than all fields of all operations of a bank. */
const LOGGED_MAX = 10_000
const INDEX = /\[\d+\]/g

type Dependencies = {
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly metrics: Pick<Metrics, 'bankAnswerDeviations'>
  readonly now: () => Temporal.Instant
}

/** Every deviation is counted; each kind of a bank is logged once an hour in each process. */
export function createDeviationObserver({ log, metrics, now }: Dependencies): DeviationObserver {
  const loggedAt = new Map<string, number>()
  const isLogged = (key: string): boolean => {
    const at = now().epochMilliseconds
    const before = loggedAt.get(key)
    const isRecent = before !== undefined && at - before < LOGGED_AGAIN_AFTER_MILLISECONDS
    if (!isRecent) {
      if (loggedAt.size >= LOGGED_MAX) {
        loggedAt.clear()
      }
      loggedAt.set(key, at)
    }
    return isRecent
  }
  return ({ bank, operation }, deviations) => {
    for (const { path, reason, effect } of deviations) {
      metrics.bankAnswerDeviations.inc({ bank, operation, effect })
      const field = path.replace(INDEX, '[]')
      if (!isLogged([bank, operation, effect, field].join(' '))) {
        const level = effect === 'ignored' ? 'info' : 'warn'
        log[level]({ bank, operation, field, reason, effect }, MESSAGES[effect])
      }
    }
  }
}

const MESSAGES: Readonly<Record<AnswerDeviation['effect'], string>> = {
  ignored: 'a bank sends a field in another form than its standard: the field is ignored',
  dropped: 'a bank sends a damaged element of a list: the element is left out',
  unreadable: 'a bank sends an answer that cannot be read',
  'unknown-status': 'a bank reports a status that its standard does not have',
}
