/** Collects the names that operators and scripts rely on: settings, commands with their options, metrics, events. */
import type { Command } from 'commander'
import { knownSettings } from '../../../cli/doctor/settings/known-settings.ts'
import { havnProgram } from '../../../cli/program.ts'
import { openMetrics } from '../../platform/observability/metrics.ts'

/** Lists of names; each entry of a release must exist in every later one of the same major version. */
export type NamedInterface = {
  readonly settings: readonly string[]
  /** E.g. `havn bank put --name`, and `havn bank put <bic>` for an argument. */
  readonly commands: readonly string[]
  /** E.g. `havn_bank_call_seconds{bank}`. */
  readonly metrics: readonly string[]
}

export async function namedInterface(): Promise<NamedInterface> {
  const metrics = await openMetrics({ processMetrics: false }).registry.getMetricsAsArray()
  return {
    settings: [...knownSettings()].filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)).toSorted(),
    commands: commandsOf(havnProgram(), []).toSorted(),
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

function commandsOf(command: Command, words: readonly string[]): readonly string[] {
  const path = [...words, command.name()]
  const name = path.join(' ')
  return [
    name,
    ...command.options.map(({ long, short }) => `${name} ${long ?? short ?? ''}`),
    ...command.registeredArguments.map((argument) => `${name} <${argument.name()}>`),
    ...command.commands.flatMap((child) => commandsOf(child, path)),
  ]
}
