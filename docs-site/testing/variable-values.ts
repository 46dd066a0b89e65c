/** Gives the variables of the examples values, with which tests compare what an example sends with the contract's. */
import { EXAMPLE_VARIABLES, READER_VARIABLES, variableOf } from '../examples/example-variables.ts'

const DAYS: Readonly<Record<string, string>> = { today: '2026-11-23', dueDate: '2026-11-25', monthAgo: '2026-10-23' }

/** The value of each variable by its name in programs. */
export const variableValues: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...EXAMPLE_VARIABLES, ...READER_VARIABLES].map(({ name, value }) => [name, value])),
  ...DAYS,
}

/** A part of the contract's example with these values. */
export function withVariableValues(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part ?? null, (field, value: unknown) => {
      const variable = variableOf(field, value)
      return variable === undefined ? value : `${variableValues[variable.name]}${variable.time ?? ''}`
    }),
  )
}

/** The path of an operation with the parameters of its example. */
export function filledPath(path: string, params: unknown): string {
  const filled = Object(withVariableValues(params))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(filled[name]))
}
