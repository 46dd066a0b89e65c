/** Reads the ids, times and choices that an operator typed. */
import { parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import { isId } from '../../gateway/platform/ids.ts'

/** As it is stored. Throws unless it has the form of an id: `what` it should be, and the command that prints such ids. */
export function typedId(text: string, what: string, printedBy: string): string {
  const id = text.trim()
  if (!isId(id)) {
    throw new Error(`${text} is not ${what}; ${printedBy} prints the ids`)
  }
  return id.toLowerCase()
}

/** A day is its beginning in UTC, unless `parse` says otherwise. Throws with the name of the option. */
export function typedTime(option: string, text: string, parse = parseTimeParameter): Temporal.Instant {
  const time = parse(text, 'UTC')
  if (time === undefined) {
    throw new Error(`${option} must be a day or an instant, such as 2026-11-23T09:00:00Z, not ${text}`)
  }
  return time
}

/** In any case of its letters. Throws with the name of the option. */
export function typedChoice<Value extends string>(option: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value.toLowerCase() === text.toLowerCase())
  if (found === undefined) {
    throw new Error(`${option} must be one of ${values.join(', ')}, not ${text}`)
  }
  return found
}
