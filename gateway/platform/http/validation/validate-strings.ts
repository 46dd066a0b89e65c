/** Finds the texts of a request that cannot be stored or sent on: those that hold U+0000 or a lone surrogate. */
import { runLettingOthersIn } from '../../yield-to-event-loop.ts'
import { type Problem, subjectOf } from '../errors/api-error.ts'

/** Longer than the path to anything that the interface knows. */
const PATH_CHARACTERS_MAX = 500
/** So many values are looked at before other requests may have their turn. */
const VALUES_PER_TURN = 500

/** A part of the request with the way to it; only the request as a whole has no surroundings. */
type Place = { readonly value: unknown; readonly name: string | number; readonly surroundings: Place | undefined }
/** What was found so far, by path, and how many values were looked at. */
type Search = { readonly found: Map<string, Problem>; readonly max: number; looked: number }

/** The first such texts, in body order. A large value is looked through without holding up other requests. */
export async function invalidTexts(value: unknown, max: number): Promise<readonly Problem[]> {
  const search: Search = { found: new Map(), max, looked: 0 }
  await runLettingOthersIn(searchIn(search, { value, name: '', surroundings: undefined }))
  return [...search.found.values()]
}

/** Why a text cannot be used; undefined for one that can. PostgreSQL stores neither, and UTF-8 has no lone surrogates. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) {
    return 'holds the character U+0000'
  }
  return text.isWellFormed() ? undefined : 'holds a lone surrogate, which is not a character'
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
    search.looked += 1
    if (search.looked % VALUES_PER_TURN === 0) {
      yield
    }
  }
}

function record({ found }: Search, place: Place): void {
  const fault = faultOfText(String(place.value))
  if (fault !== undefined) {
    const path = pathOf(place)
    // Unknown fields are checked, too: the sentence says that it is about one.
    const reason = path === '.' ? `The body ${fault}` : `The field ${subjectOf(path)} ${fault}`
    found.set(path, found.get(path) ?? { code: 'InvalidRequest', reason, path, parsing: 'InvalidFieldFormat' })
  }
}

/** What is below an endless name, which the interface does not know, is reported at its surroundings. */
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
