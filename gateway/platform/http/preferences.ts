/** Reads what a caller prefers: the headers Prefer and Accept. */

import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import type { Operation } from '../../../contract/operation.ts'
import { apiError } from './errors/api-error.ts'

/** A quoted string, a word, or a separator; whatever a quoted string lacks at its end, it ends with the header. */
const PART = /"(?:[^"\\]|\\.?)*"?|[^\s",;=]+|[,;=]/g

/**
 * The preferences by their name, in lower case like their values; those without a value and malformed ones have an empty
 * one. The first of a name counts, and parameters are ignored.
 */
export function preferencesIn(prefer: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  let preference: string[] = []
  for (const part of [...([prefer ?? ''].flat().join(',').match(PART) ?? []), ',']) {
    if (part !== ',') {
      preference.push(part)
      continue
    }
    const [name = '', sign, value = '', next = ';'] = preference
    if (name !== '' && !preferences.has(name.toLowerCase())) {
      const text = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
      preferences.set(name.toLowerCase(), sign === '=' && next === ';' ? text.toLowerCase() : '')
    }
    preference = []
  }
  return preferences
}

/** The default for every response. */
export const JSON_MEDIA_TYPE = 'application/json'

/** A parameter of a media range that is not its weight, a charset for example. Its name begins where the blanks end. */
const RANGE_PARAMETER = /;\s*(?!q\s*=)[^\s;,="][^;,="]*(?:=(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi
const JSON_RANGE = /^\s*application\/json\s*(?:;|$)/i

/**
 * By `Accept` (RFC 9110, 12.5.1), for an answer that has other forms than JSON. Parameters of media types select no form,
 * and of forms that are equally welcome JSON is returned: some libraries list everything that they can read. Throws
 * `not-acceptable`.
 */
export function negotiateMediaType(
  otherForms: NonNullable<Operation['answer']['otherForms']>,
  { accept = '' }: IncomingHttpHeaders,
): string {
  const forms = [JSON_MEDIA_TYPE, ...Object.keys(otherForms)]
  const ranges = accept.replaceAll(RANGE_PARAMETER, '').split(',')
  const jsonFirst = [...ranges.filter(isJsonRange), ...ranges.filter((range) => !isJsonRange(range))].join(',')
  // A header without any media range says as little as none.
  const headers = jsonFirst.trim() === '' ? {} : { accept: jsonFirst }
  const [best] = new Negotiator({ headers }).mediaTypes(forms)
  if (best === undefined) {
    throw apiError('not-acceptable', `This is answered as ${forms.join(', ')}; the header Accept allows none of them`)
  }
  return best
}

function isJsonRange(range: string): boolean {
  return JSON_RANGE.test(range)
}
