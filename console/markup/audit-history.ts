/** Renders what the audit log has: one subject as a timeline, and an entry as a sentence: `Kari Nordmann disabled the client x of partner y`. */
import { html } from 'ghtml'
import type { AuditLogEntry, FoundAuditEntry } from '../../gateway/operators/audit-log.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'
import { breakableText } from './breakable-text.ts'
import { idMarkup } from './copy/copy-button.ts'
import { detailsMarkup } from './explained-codes.ts'
import { timeMarkup } from './format-time.ts'
import { subjectPath } from './subject-link.ts'

/** Nothing without entries. */
export function auditHistory(entries: readonly AuditLogEntry[]): string {
  const items = entries.map(
    ({ at, actor, action, detail }) =>
      html`<li>!${timeMarkup(at)}<div><p>!${auditSentenceOfPage({ actor, action })}</p><p class="quiet">!${detailsMarkup(detail)}</p></div></li>`,
  )
  return items.length === 0
    ? ''
    : html`<h2>${consoleText('audit.history')}</h2><ol class="timeline">!${items.join('\n')}</ol>`
}

type SentenceEntry = Pick<FoundAuditEntry, 'partnerName' | 'actor' | 'action' | 'subjectType' | 'subjectId'>
type ActionKey = keyof typeof CONSOLE_CATALOGUE.audit.actions

/** Stands for the subject, which is markup, in a text. */
const SUBJECT = '\u0000'

export function auditSentence({ partnerName, actor, action, subjectType, subjectId }: SentenceEntry): string {
  const isPartner = subjectType === 'partner'
  const subject = isPartner
    ? html`${partnerName ?? subjectId}`
    : idMarkup(subjectId, subjectPath(subjectType, subjectId))
  const phrase = phraseOf(action, subjectType)
    .split(SUBJECT)
    .map((part) => html`${part}`)
    .join(subject)
  const partner =
    isPartner || partnerName === null ? '' : html` ${consoleText('audit.ofPartner', { partner: partnerName })}`
  return html`!${actorMarkup(actor)} !${phrase}!${partner}`
}

/** On the page of the subject, which the sentence need not name. */
function auditSentenceOfPage({ actor, action }: Pick<SentenceEntry, 'actor' | 'action'>): string {
  const phrase = phraseOf(action, '').replace(SUBJECT, '').replace('()', '').replaceAll(/\s+/g, ' ').trim()
  return html`!${actorMarkup(actor)} ${phrase.replace(/ (about|to)$/, '')}`
}

/** Of an action that only another release has, the action itself. */
function phraseOf(action: string, type: string): string {
  const key = action.replaceAll(' ', '-')
  const subject = `${type} ${SUBJECT}`.trim()
  return isKnown(key)
    ? consoleText(`audit.actions.${key}`, { subject: SUBJECT })
    : consoleText('audit.otherAction', { action, subject })
}

function isKnown(key: string): key is ActionKey {
  return Object.hasOwn(CONSOLE_CATALOGUE.audit.actions, key)
}

/** `operator Kari Nordmann (kari@havn.example)` is Kari Nordmann; who exactly that is, is in the title. */
function actorMarkup(actor: string): string {
  const [, kind = '', name = ''] = /^(operator|user|client) (.+?)(?: \([^()]*\))?$/s.exec(actor) ?? []
  const shown = kind === '' ? actor.replace(/^./, (first) => first.toUpperCase()) : name
  return html`<strong title="${actor}">!${breakableText(kind === 'client' ? consoleText('audit.client', { id: name }) : shown)}</strong>`
}
