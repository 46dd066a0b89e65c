/** Says in a sentence what an entry of the audit log records: `Kari Nordmann disabled the client x of partner y`. */
import { html } from 'ghtml'
import type { FoundAuditEntry } from '../../gateway/operators/audit-entry.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'
import { breakableText } from './breakable-text.ts'
import { idMarkup } from './copy/copy-button.ts'
import { subjectPath } from './subject-link.ts'

type SentenceEntry = Pick<FoundAuditEntry, 'partnerName' | 'actor' | 'action' | 'subjectType' | 'subjectId'>
type AuditAction = keyof typeof CONSOLE_CATALOGUE.audit.actions

/** Stands for the subject, which is markup, in a text. */
const SUBJECT = '\u0000'

export function auditSentence({ partnerName, actor, action, subjectType, subjectId }: SentenceEntry): string {
  const isPartner = subjectType === 'partner'
  const subject = isPartner ? html`${partnerName ?? subjectId}` : subjectMarkup(subjectType, subjectId)
  const phrase = phraseOf(action, subjectType)
    .split(SUBJECT)
    .map((part) => html`${part}`)
    .join(subject)
  const partner =
    isPartner || partnerName === null ? '' : html` ${consoleText('audit.ofPartner', { partner: partnerName })}`
  return html`!${actorMarkup(actor)} !${phrase}!${partner}`
}

/** On the page of the subject, which the sentence need not name. */
export function auditSentenceOfPage({ actor, action }: Pick<SentenceEntry, 'actor' | 'action'>): string {
  const phrase = phraseOf(action, '').replace(SUBJECT, '').replace('()', '').replaceAll(/\s+/g, ' ').trim()
  return html`!${actorMarkup(actor)} ${phrase.replace(/ (about|to)$/, '')}`
}

function phraseOf(action: string, type: string): string {
  const key = action.replaceAll(' ', '-')
  const subject = `${type} ${SUBJECT}`.trim()
  return isKnown(key)
    ? consoleText(`audit.actions.${key}`, { subject: SUBJECT })
    : consoleText('audit.otherAction', { action, subject })
}

function isKnown(key: string): key is AuditAction {
  return Object.hasOwn(CONSOLE_CATALOGUE.audit.actions, key)
}

/** `operator Kari Nordmann (kari@havn.example)` is Kari Nordmann; who exactly that is, is in the title. */
function actorMarkup(actor: string): string {
  const [, kind = '', name = ''] = /^(operator|user|client) (.+?)(?: \([^()]*\))?$/s.exec(actor) ?? []
  const shown = kind === '' ? actor.replace(/^./, (first) => first.toUpperCase()) : name
  return html`<strong title="${actor}">!${breakableText(kind === 'client' ? consoleText('audit.client', { id: name }) : shown)}</strong>`
}

function subjectMarkup(type: string, id: string): string {
  return idMarkup(id, subjectPath(type, id))
}
