/** Compares docs/operating.md with the code: kinds of tasks, metrics and commands. */
import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addOperatorCommands } from '../cli/commands/operator-commands.ts'
import { addRoleCommands } from '../cli/commands/role-commands.ts'
import { addDoctorCommand } from '../cli/doctor/doctor-command.ts'
import { taskKinds } from './operators/operator-task.ts'
import { openMetrics } from './platform/observability/metrics.ts'

const page = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8')

function found(pattern: RegExp): string[] {
  return [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))].sort()
}

test('every kind of operator task is documented, with the number of required operators', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \|.*\| (one|two)\b[^|]*\|$/gm)]
  const operators = { one: 1, two: 2 }
  expect(Object.fromEntries(rows.map(([, kind, count]) => [kind, operators[count === 'two' ? 'two' : 'one']]))).toEqual(
    Object.fromEntries(Object.entries(taskKinds).map(([kind, task]) => [kind, task.operatorsRequired])),
  )
})

test('every metric is documented with its labels', async () => {
  const metrics = await openMetrics({ processMetrics: false }).registry.getMetricsAsJSON()
  expect(metrics).not.toEqual([])
  expect(found(/^\| `(havn_\w+)\{/gm)).toEqual(metrics.map(({ name }) => name).toSorted())
})

test('every command in the document exists', () => {
  const program = addedCommands()
  const named = found(/havn ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+(?:-[a-z]+)*)?)(?=[ `\n])/g)
  expect(named).toContain('tasks list')
  expect(named.filter((words) => !isCommand(program, words.split(' ')))).toEqual([])
})

function addedCommands(): Command {
  const program = new Command('havn')
  addRoleCommands(program)
  addOperatorCommands(program)
  addDoctorCommand(program)
  return program
}

/** Whether the words name a command; a command without subcommands takes arguments. */
function isCommand(program: Command, [word, ...rest]: readonly string[]): boolean {
  const command = program.commands.find((one) => one.name() === word)
  return command !== undefined && (rest.length === 0 || command.commands.length === 0 || isCommand(command, rest))
}
