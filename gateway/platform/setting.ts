/** The kinds of settings: how each is read from variables of the environment, and what documentation says of them. */

import { isIP } from 'node:net'

/** The source of settings, normally the environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>
export type Mode = 'sandbox' | 'production'

/** What settings are read from, and by whom; errors are collected instead of stopping at the first. */
export type SettingSource = {
  /** The text of a variable; an empty one counts as not set. */
  readonly given: (name: string) => string | undefined
  readonly mode: Mode
  readonly role: 'gateway' | 'worker'
  readonly reject: (error: string) => void
}

/** A variable of the environment as documentation lists it; `byDefault` and `meaning` are Markdown. */
export type Variable = {
  readonly name: string
  readonly byDefault: string
  readonly meaning: string
  /** Set if the variable names a file. */
  readonly file?: 'public' | 'secret'
}

/** A setting of the program, read from one or more variables. */
export type Setting<Value> = {
  readonly variables: readonly Variable[]
  readonly read: (source: SettingSource) => Value
}

/** The values of a table of settings. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never
}

/** A file that is read again when it changes, or the text itself. */
export type PemSource = { readonly file: string } | { readonly text: string }

const WHOLE_NUMBERS = [0, 999_999_999] as const
export const POSITIVE_NUMBERS = [1, 999_999_999] as const

/** The source for an environment, and the errors found so far; settings that others depend on are read more than once. */
export function openSource(environment: Environment, role: SettingSource['role'] = 'gateway') {
  const errors = new Set<string>()
  const source: SettingSource = {
    given: (name) => environment[name]?.trim() || undefined,
    mode: 'production',
    role,
    reject: (error) => errors.add(error),
  }
  return { source, errors }
}

/** Reads every setting of a table. */
export function readSettings<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  source: SettingSource,
): ValuesOf<Table> {
  const values = Object.entries(table).map(([name, setting]) => [name, setting.read(source)])
  return Object.fromEntries(values) as ValuesOf<Table>
}

/** A setting of several others. */
export function combined<Table extends Readonly<Record<string, Setting<unknown>>>, Value>(
  parts: Table,
  combine: (values: ValuesOf<Table>, source: SettingSource) => Value,
): Setting<Value> {
  return {
    variables: Object.values(parts).flatMap(({ variables }) => variables),
    read: (source) => combine(readSettings(parts, source), source),
  }
}

/** A text that is validated further by `parse`, if at all. */
export function text<Value = string>(
  name: string,
  byDefault: string,
  meaning: string,
  parse?: (text: string, source: SettingSource) => Value,
): Setting<Value>
export function text(
  name: string,
  byDefault: string,
  meaning: string,
  parse: (text: string, source: SettingSource) => unknown = (given) => given,
): Setting<unknown> {
  const variables = [{ name, byDefault: quoted(byDefault), meaning }]
  return { variables, read: (source) => parse(source.given(name) ?? byDefault, source) }
}

/** A text, or null. */
export function optional(name: string, meaning: string, file?: 'public' | 'secret'): Setting<string | null> {
  const variable = { name, byDefault: '', meaning, ...(file === undefined ? {} : { file }) }
  return { variables: [variable], read: ({ given }) => given(name) ?? null }
}

/** The start fails without it: `missing` says what to set. */
export function required(variable: Omit<Variable, 'byDefault'>, missing: string): Setting<string> {
  return {
    variables: [{ ...variable, byDefault: 'required' }],
    read: ({ given, reject }) => {
      const value = given(variable.name)
      if (value === undefined) {
        reject(`${variable.name} is missing: ${missing}`)
      }
      return value ?? ''
    },
  }
}

export function integer(
  name: string,
  byDefault: number,
  meaning: string,
  [min, max]: readonly [number, number] = WHOLE_NUMBERS,
): Setting<number> {
  return text(name, String(byDefault), meaning, (given, { reject }) => {
    if (!/^\d{1,9}$/.test(given)) {
      reject(`${name} must be a whole number, not "${given}"`)
    } else if (Number(given) < min || Number(given) > max) {
      reject(`${name} must be between ${min} and ${max}, not ${given}`)
    }
    return Number(given)
  })
}

export function oneOf<const Choice extends string>(
  name: string,
  byDefault: NoInfer<Choice>,
  choices: readonly Choice[],
  meaning: string,
): Setting<Choice> {
  return text(name, byDefault, meaning, (given, { reject }) => {
    const choice = choices.find((candidate) => candidate === given)
    if (choice === undefined) {
      reject(`${name} must be one of ${choices.join(', ')}, not "${given}"`)
    }
    return choice ?? byDefault
  })
}

/** `1` for on, `0` for off. */
export function onOrOff(name: string, byDefault: '0' | '1', meaning: string): Setting<boolean> {
  const { variables, read } = oneOf(name, byDefault, ['0', '1'], meaning)
  return { variables, read: (source) => read(source) === '1' }
}

/** An http or https URL, with its scheme in lower case and without a slash at its end; null if it is not set. */
export function optionalUrl(name: string, meaning: string): Setting<string | null> {
  return {
    variables: [{ name, byDefault: '', meaning }],
    read: (source) => {
      const given = source.given(name)
      return given === undefined ? null : parseUrl(name, given, source)
    },
  }
}

/** A URL at which others reach us: https in production. `byDefault` is a description of `otherwise`. */
export function publicUrl(variable: Variable, otherwise: (source: SettingSource) => string): Setting<string> {
  const { name } = variable
  return {
    variables: [variable],
    read: (source) => {
      const url = parseUrl(name, source.given(name) ?? otherwise(source), source)
      if (source.mode === 'production' && !url.startsWith('https://')) {
        source.reject(`${name} must start with https:// in production`)
      }
      return url
    },
  }
}

function parseUrl(name: string, given: string, { reject }: SettingSource): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    reject(`${name} must be an http or https URL, not "${given}"`)
  }
  return withoutSlash(given).replace(/^https?/i, (scheme) => scheme.toLowerCase())
}

/** The items of a comma-separated list. */
export function listIn(given: string): readonly string[] {
  return given === '' ? [] : given.split(',').map((part) => part.trim())
}

/** Networks, each an address and a prefix length. */
export function networks(name: string, meaning: string): Setting<readonly string[]> {
  return text(name, '', meaning, (given, { reject }) => {
    const items = listIn(given)
    for (const network of items.filter((item) => !isNetwork(item))) {
      reject(`${name} must be a comma-separated list of networks such as 10.0.0.0/8, not "${network}"`)
    }
    return items
  })
}

function isNetwork(item: string): boolean {
  const [, address = '', bits = ''] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(item) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** A secret or a certificate: `NAME_FILE` names its file, and `NAME` holds it; null for neither. */
export function fileOrText(
  name: string,
  file: 'public' | 'secret',
  [ofFile, ofText]: readonly [ofFile: string, ofText: string],
): Setting<PemSource | null> {
  const parts = { file: optional(`${name}_FILE`, ofFile, file), text: optional(name, ofText) }
  return combined(parts, (given, { reject }) => {
    if (given.file !== null && given.text !== null) {
      reject(`${name}_FILE and ${name} are both set: set only one of them`)
    }
    return given.file !== null ? { file: given.file } : given.text !== null ? { text: given.text } : null
  })
}

export function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

function quoted(byDefault: string): string {
  return byDefault === '' ? '' : `\`${byDefault}\``
}
