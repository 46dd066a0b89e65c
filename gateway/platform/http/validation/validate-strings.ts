/** Finds strings of a request that cannot be stored or forwarded: those with U+0000 or a lone surrogate. */

import type { ValidationCode } from '../../../../contract/errors/error-codes.ts'
import { runYieldingToEventLoop } from '../../concurrency.ts'
import { fieldNameOf, type ValidationError } from '../errors/api-error.ts'

/** Longer than the path to any field of the API. */
const PATH_CHARACTERS_MAX = 500
/** Values that are checked between two yields to the event loop. */
const VALUES_PER_TURN = 500

/** A value of the request with its parent; only the request itself has none. */
type Place = { readonly value: unknown; readonly name: string | number; readonly surroundings: Place | undefined }
/** The errors so far, by path, and the number of checked values. */
type Search = {
  readonly found: Map<string, ValidationError>
  readonly max: number
  readonly code: ValidationCode
  checked: number
}

/** The first invalid strings, in body order. Yields to the event loop in a large value. */
export async function findInvalidStrings(
  value: unknown,
  max: number,
  code: ValidationCode = 'InvalidRequest',
): Promise<readonly ValidationError[]> {
  const search: Search = { found: new Map(), max, code, checked: 0 }
  await runYieldingToEventLoop(searchIn(search, { value, name: '', surroundings: undefined }))
  return [...search.found.values()]
}

/** Why a string is invalid; undefined for a valid one. PostgreSQL stores neither, and UTF-8 has no lone surrogates. */
export function stringErrorOf(text: string): string | undefined {
  if (text.includes('\0')) {
    return 'contains the character U+0000'
  }
  return text.isWellFormed() ? undefined : 'contains a lone surrogate, which is not a valid character'
}

function* searchIn(search: Search, place: Place): Generator<void, void> {
  const { value } = place
  if (typeof value === 'string') {
    record(search, place)
    return
  }
  const isList = Array.isArray(value)
  const names = isList ? undefined : Object.keys(Object(value))
  const count = names?.length ?? Object(value).length
  for (let index = 0; index < count && search.found.size < search.max; index += 1) {
    const name = names?.[index] ?? index
    const part: unknown = Reflect.get(Object(value), name)
    if (typeof part === 'string') {
      record(search, { value: part, name, surroundings: place })
    } else if (typeof part === 'object' && part !== null) {
      yield* searchIn(search, { value: part, name, surroundings: place })
    }
    search.checked += 1
    if (search.checked % VALUES_PER_TURN === 0) {
      yield
    }
  }
}

function record({ found, code }: Search, place: Place): void {
  const fault = stringErrorOf(String(place.value))
  if (fault !== undefined) {
    const path = pathOf(place)
    // Unknown fields are checked, too: the message says that the field is unknown.
    const reason = path === '.' ? `The body ${fault}` : `The field ${fieldNameOf(path)} ${fault}`
    found.set(path, found.get(path) ?? { code, reason, path, parsing: 'InvalidFieldFormat' })
  }
}

/** An invalid string below a very long unknown name is reported at its parent. */
function pathOf(place: Place): string {
  const parts: string[] = []
  for (let at: Place | undefined = place; at?.surroundings !== undefined; at = at.surroundings) {
    parts.unshift(typeof at.name === 'number' ? `[${at.name}]` : `.${at.name}`)
  }
  let path = ''
  for (const part of parts) {
    if (path.length + part.length > PATH_CHARACTERS_MAX) {
      break
    }
    path += part
  }
  return path === '' ? '.' : path
}
