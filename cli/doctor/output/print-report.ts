/** Prints the findings of `havn doctor`, without secrets: as text while groups end, or as one JSON document. */

import type { Environment } from '../../../gateway/platform/setting.ts'
import type { Level } from '../check.ts'
import type { GroupReport } from '../inspect-installation.ts'

export type Counts = Readonly<Record<Level, number>>

export function countFindings(groups: readonly GroupReport[]): Counts {
  const levels = groups.flatMap(({ findings }) => findings.map(({ level }) => level))
  const count = (wanted: Level) => levels.filter((level) => level === wanted).length
  return { error: count('error'), warning: count('warning'), note: count('note') }
}

/** The lines of one group. */
export function renderGroup({ title, checks, findings, skipped }: GroupReport): string {
  if (skipped !== undefined) {
    return `${title}: skipped (${skipped})`
  }
  const found = findings.map(({ level, check, problem, where, action, see }) =>
    [`  ${level} ${check}: ${problem}`, `    where ${where}`, `    do    ${action}`, `    see   ${see}`].join('\n'),
  )
  const summary =
    findings.length === 0 ? `${checks} checks, nothing found` : `${checks} checks, ${findings.length} found`
  return [`${title}: ${summary}`, ...found].join('\n')
}

export function renderSummary(counts: Counts): string {
  const { error, warning, note } = counts
  const found = [plural(error, 'error'), plural(warning, 'warning'), plural(note, 'note')].join(', ')
  return error + warning + note === 0 ? 'Nothing is wrong.' : `${found}.`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** One document with everything. */
export function renderJson(groups: readonly GroupReport[]): string {
  const { error, warning, note } = countFindings(groups)
  return JSON.stringify({ ok: error === 0, errors: error, warnings: warning, notes: note, groups })
}

const SECRET_NAME = /(KEY|SECRET|PASSWORD|TOKEN)$/
const SECRET_FIELD = /"(?:clientSecret|secret|password)"\s*:\s*"((?:[^"\\]|\\.)+)"/g
const PASSWORD_IN_URL = /:\/\/[^/\s:@]*:((?:(?!:\/\/)[^@\s])+)@/g
/** A shorter text is a word of many messages. */
const LENGTH_MIN = 4
const REDACTED = '[secret]'

export function secretsRedactor(environment: Environment): (text: string) => string {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) => [
    ...(SECRET_NAME.test(name) ? [value.trim(), ...value.split('\n')] : []),
    ...[...value.matchAll(SECRET_FIELD)].map(([, secret = '']) => secret),
    ...[...value.matchAll(PASSWORD_IN_URL)].flatMap(([, secret = '']) => [secret, decoded(secret)]),
  ])
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret.length >= LENGTH_MIN)
    .toSorted((one, other) => other.length - one.length)
  return (text) =>
    longestFirst
      .reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text)
      .replaceAll(PASSWORD_IN_URL, (url, secret: string) => url.replace(`:${secret}@`, `:${REDACTED}@`))
}

function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    return secret
  }
}
