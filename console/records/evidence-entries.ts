/** Renders the evidence of authorisations as entries of a timeline: who signed what, from where, when, with which result. */
import { html } from 'ghtml'
import type { AuthorisationEvidence } from '../../gateway/authorisations/list-evidence.ts'
import type { SummaryItem, SummaryLine } from '../../gateway/authorisations/signature-summary.ts'
import { maskUserId } from '../../gateway/consents/consent.ts'
import { textsIn } from '../../gateway/page-texts/page-texts.ts'
import { parseMoney } from '../../gateway/platform/money.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { formatDay, formatTime } from '../markup/format-time.ts'
import { type TimelineEntry, timelineMarkup } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

/** What users are shown has the labels of the pages that they see. */
const PAGE_TEXTS = textsIn('en')
const SEPARATOR = ' · '

/** In the order of business time; the times of the authorisation itself are wall time, as everything signed. */
export function evidenceEntries(
  evidence: readonly AuthorisationEvidence[],
  { shownMax }: { readonly shownMax: number },
): readonly TimelineEntry[] {
  return evidence.map((authorisation) => ({
    at: authorisation.createdAt,
    title: html`${consoleText(`evidence.targets.${authorisation.targetType}`)} <strong>${consoleText(`evidence.states.${authorisation.state}`)}</strong>`,
    details: [
      html`${signedBy(authorisation)}`,
      html`${timesOf(authorisation)}`,
      html`${clientOf(authorisation)}`,
      ...shownOf(authorisation.shown, shownMax),
    ].filter((detail) => detail !== ''),
  }))
}

/** All of it, with what users were shown; nothing without any. */
export function evidenceSection(evidence: readonly AuthorisationEvidence[]): string {
  return evidence.length === 0
    ? ''
    : html`<h2>${consoleText('evidence.title')}</h2>!${timelineMarkup(evidenceEntries(evidence, { shownMax: Infinity }))}`
}

/** National ids of users are masked, as everywhere in the console. */
function signedBy({ userId, scaStatus, approach, authorisationId }: AuthorisationEvidence): string {
  return joined(
    userId === null ? '' : consoleText('evidence.user', { user: maskUserId(userId) }),
    scaStatus === null ? '' : consoleText('evidence.scaStatus', { status: scaStatus }),
    approach === null ? '' : consoleText(`evidence.approaches.${approach}`),
    authorisationId === null ? '' : consoleText('evidence.authorisation', { id: authorisationId }),
  )
}

function timesOf({ startedAt, leftAt, endedAt }: AuthorisationEvidence): string {
  return joined(
    startedAt === null ? '' : consoleText('evidence.started', { time: formatTime(startedAt) }),
    leftAt === null ? '' : consoleText('evidence.left', { time: formatTime(leftAt) }),
    endedAt === null ? '' : consoleText('evidence.ended', { time: formatTime(endedAt) }),
  )
}

function clientOf({ ipAddress, userAgent, language }: AuthorisationEvidence): string {
  return joined(
    ipAddress === null ? '' : consoleText('evidence.from', { ipAddress }),
    userAgent ?? '',
    language === null ? '' : consoleText('evidence.language', { language }),
  )
}

/** Those that are not empty. */
function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(SEPARATOR)
}

function shownOf(items: readonly SummaryItem[], shownMax: number): readonly string[] {
  const lines = items.slice(0, shownMax).map((item) => {
    const values = item.map((line) => `${PAGE_TEXTS.text(`authorisation.labels.${line.label}`)}: ${shownValue(line)}`)
    return html`${consoleText('evidence.shown', { values: values.join(SEPARATOR) })}`
  })
  const more = items.length - lines.length
  return more === 0 ? lines : [...lines, html`${consoleText('evidence.more', { count: more })}`]
}

/** In the formats of the console, whatever the language that the user chose. */
function shownValue({ kind, value }: SummaryLine): string {
  switch (kind) {
    case 'amount':
    case 'money': {
      const [amount = '', currency = ''] = value.split(' ')
      const money = parseMoney(amount, currency)
      return money === undefined ? value : formatMoneyForReaders(money)
    }
    case 'day':
      return formatDay(Temporal.PlainDate.from(value))
    case 'time':
      return formatTime(Temporal.ZonedDateTime.from(value).toInstant())
    case 'access':
      return PAGE_TEXTS.text('authorisation.accessToAccounts')
    case 'account':
    case 'text':
      return value
  }
}
