/** Formats values and bodies of JSON for readers. */

import { parseJson } from '../../gateway/platform/parse-json.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Texts are as they are, lists and objects without quotes: `max: 5, modes: (bulk, file)`; what is not set says so. */
export function valueText(value: unknown): string {
  if (isUnset(value)) {
    return consoleText('values.notSet')
  }
  if (typeof value === 'boolean') {
    return consoleText(value ? 'values.yes' : 'values.no')
  }
  if (typeof value !== 'object') {
    return String(value)
  }
  return Array.isArray(value)
    ? value.map(innerText).join(', ')
    : Object.entries(value)
        .map(([name, inner]) => `${name}: ${innerText(inner)}`)
        // Another one follows the full stop of a sentence.
        .map((text, index, { length }) => (index < length - 1 ? text.replace(/\.$/, '') : text))
        .join(', ')
}

/** Whether it is empty. */
export function isUnset(value: unknown): value is null | undefined | '' {
  return value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

function innerText(value: unknown): string {
  return typeof value !== 'object' || isUnset(value) ? valueText(value) : `(${valueText(value)})`
}

/** Of a body that is not JSON, the text itself. */
export function indentedJson(body: string): string {
  try {
    return JSON.stringify(parseJson(body), undefined, 2)
  } catch {
    return body
  }
}
