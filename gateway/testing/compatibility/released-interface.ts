/** Collects what operators and scripts rely on: settings, commands with their options, metrics, permissions. */
import { readdir, readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { EXIT_CODES } from '../../../cli/developer/command-error.ts'
import { knownSettings } from '../../../cli/doctor/settings/known-settings.ts'
import { havnProgram } from '../../../cli/program.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { openMetricsOfModules } from '../../../launcher/roles/open-context.ts'
import { inspectConfig } from '../../config/config.ts'

/** Lists of names; each entry of a release must exist in every later one of the same major version. */
export type NamedInterface = {
  readonly settings: readonly string[]
  /** E.g. `havn bank put --name`, and `havn bank put <bic>` for an argument. */
  readonly commands: readonly string[]
  /** E.g. `havn_bank_call_seconds{bank}`. */
  readonly metrics: readonly string[]
  /** E.g. `HAVN_LOG_LEVEL: debug`, and `HAVN_PORT: 65535` for each end of a range. */
  readonly values: readonly string[]
  /** E.g. `2 rejected`. */
  readonly exitCodes: readonly string[]
  /** E.g. `POST /v2/payrolls: consent, payroll`. */
  readonly permissions: readonly string[]
  /** The headings of each table that a command prints, of which `--json` makes fields. */
  readonly tables: readonly (readonly string[])[]
}

const OPERATOR_COMMANDS = new URL('../../../cli/operator/', import.meta.url)
const UNKNOWN_WORD = '?'
const LARGE_NUMBER = '999999999'

export async function namedInterface(): Promise<NamedInterface> {
  const metrics = await openMetricsOfModules({ processMetrics: false }).registry.getMetricsAsArray()
  const settings = [...knownSettings()].filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)).toSorted()
  return {
    settings,
    values: settings.flatMap(valuesOf),
    exitCodes: Object.entries(EXIT_CODES).map(([reason, [code]]) => `${code} ${reason}`),
    permissions: Object.values(operations)
      .map((one: Operation) => `${one.method} ${one.path}: ${[one.admits, one.permission ?? []].flat().join(', ')}`)
      .toSorted(),
    tables: await tableHeadings(),
    commands: commandsOf(await havnProgram(), []).toSorted(),
    metrics: metrics
      .flatMap((metric) => [
        metric.name,
        ...String(Reflect.get(metric, 'labelNames') ?? '')
          .split(',')
          .filter(Boolean)
          .map((label) => `${metric.name}{${label}}`),
      ])
      .toSorted(),
  }
}

/** What a setting accepts is in the error about a value that it does not accept. */
function valuesOf(name: string): readonly string[] {
  const { errors } = [UNKNOWN_WORD, LARGE_NUMBER]
    .map((value) => inspectConfig({ HAVN_MODE: 'sandbox', [name]: value }, 'gateway'))
    .reduce((all, one) => ({ ...one, errors: [...all.errors, ...one.errors] }))
  const accepted = errors.flatMap((error) => {
    const [, words, min, max] =
      new RegExp(`^${name} must be (?:one of (.*)|between (\\d+) and (\\d+)), not `).exec(error) ?? []
    return words?.split(', ') ?? [min, max].flatMap((end) => end ?? [])
  })
  return [...new Set(accepted)].map((value) => `${name}: ${value}`)
}

async function tableHeadings(): Promise<readonly (readonly string[])[]> {
  const names = (await readdir(OPERATOR_COMMANDS)).filter((name) => /(?<!\.test)\.ts$/.test(name)).toSorted()
  const files = await Promise.all(names.map((name) => readFile(new URL(name, OPERATOR_COMMANDS), 'utf8')))
  return files.flatMap((text) =>
    [...text.matchAll(/(?:=> \(|return )\{/g)].map(({ index, 0: start }) => keysIn(text.slice(index + start.length))),
  )
}

/** The keys of an object literal, whose opening brace is before the text: a row of a table has its headings as keys. */
function keysIn(text: string): readonly string[] {
  const members = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`|./gs)) {
    depth += '([{'.includes(token) ? 1 : ')]}'.includes(token) ? -1 : 0
    if (depth < 0) {
      break
    }
    if (depth === 0 && token === ',') {
      members.push('')
    } else {
      members.push(`${members.pop()}${token}`)
    }
  }
  return members.flatMap((member) => {
    const [, spread] = /^\s*\.\.\.\{(.*)$/s.exec(member) ?? []
    const [, quoted, plain] = /^\s*(?:'([^']+)'|(\w+))/.exec(member) ?? []
    return spread === undefined ? (quoted ?? plain ?? []) : keysIn(spread)
  })
}

/** Under its name and its aliases. */
function commandsOf(command: Command, words: readonly string[]): readonly string[] {
  return [command.name(), ...command.aliases()].flatMap((word) => {
    const path = [...words, word]
    const name = path.join(' ')
    return [
      name,
      ...command.options.map(({ long, short }) => `${name} ${long ?? short ?? ''}`),
      ...command.registeredArguments.map((argument) => `${name} <${argument.name()}>`),
      ...command.commands.flatMap((child) => commandsOf(child, path)),
    ]
  })
}
