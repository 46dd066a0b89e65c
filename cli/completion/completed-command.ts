/** Reads from the tree of commands what the shells complete. */
import type { Command } from 'commander'
import { EVENT_TYPES, eventFamilies } from '../../contract/webhooks/event-types.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

type CompletedOption = {
  /** Without the dashes. */
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

export type CompletedCommand = {
  /** The words that lead to it, for example `payroll pay`; empty for the program itself. */
  readonly path: string
  readonly parts: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly CompletedOption[]
  /** The values of its first argument, where they are known. */
  readonly argumentChoices: readonly string[]
}

/** Values of an argument, by the command's path, and of an option, which are too many for the command's help. */
const completedValues: Readonly<Record<string, readonly string[]>> = {
  trigger: EVENT_TYPES,
  'listen --events': [...Object.keys(eventFamilies), ...EVENT_TYPES],
}

/** The program and every command below it. */
export function completedCommands(command: Command, path: readonly string[] = []): readonly CompletedCommand[] {
  const [argument] = command.registeredArguments
  const at = path.join(' ')
  const own: CompletedCommand = {
    path: at,
    parts: command.commands.map((part) => ({ name: part.name(), description: part.description() })),
    options: [
      ...command.options.map(({ long, description, required, optional, argChoices = [] }) => ({
        name: (long ?? '').replace(/^--/, ''),
        description,
        takesValue: required || optional,
        choices: completedValues[`${at} ${long}`] ?? argChoices,
      })),
      { name: 'help', description: 'print the help of the command', takesValue: false, choices: [] },
    ],
    argumentChoices: completedValues[at] ?? argument?.argChoices ?? [],
  }
  return [own, ...command.commands.flatMap((part) => completedCommands(part, [...path, part.name()]))]
}
