/** Compares the operators' pages with the code: kinds of tasks, metrics and commands. */
import { readdir, readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { havnProgram } from '../cli/program.ts'
import { openMetricsOfModules } from '../launcher/roles/open-context.ts'
import { needsTwoOperators, type TaskKind, taskAdvice } from './operators/operator-task.ts'

const DOCUMENTS = new URL('../docs/', import.meta.url)
const names = [
  ...['operating.md', 'doctor.md'],
  ...(await readdir(new URL('operating/', DOCUMENTS))).map((name) => `operating/${name}`).sort(),
]
const texts = await Promise.all(names.map((name) => readFile(new URL(name, DOCUMENTS), 'utf8')))
const page = texts.join('\n')

function found(pattern: RegExp): string[] {
  return [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))].sort()
}

test('every kind of operator task is documented, with the number of required operators', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \|.*\| (one|two)\b[^|]*\|$/gm)]
  const operators = { one: 1, two: 2 }
  expect(Object.fromEntries(rows.map(([, kind, count]) => [kind, operators[count === 'two' ? 'two' : 'one']]))).toEqual(
    Object.fromEntries(Object.keys(taskAdvice).map((kind) => [kind, needsTwoOperators(kind as TaskKind) ? 2 : 1])),
  )
})

test('every metric is documented with its labels', async () => {
  const metrics = await openMetricsOfModules({ processMetrics: false }).registry.getMetricsAsJSON()
  expect(metrics).not.toEqual([])
  expect(found(/^\| `(havn_\w+)\{/gm)).toEqual(metrics.map(({ name }) => name).toSorted())
})

test('every command in the pages exists', async () => {
  const program = await havnProgram()
  const named = found(/havn ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+(?:-[a-z]+)*)?)(?=[ `\n])/g)
  expect(named).toContain('tasks list')
  expect(named.filter((words) => !isCommand(program, words.split(' ')))).toEqual([])
})

/** Whether the words name a command; a command without subcommands takes arguments. */
function isCommand(program: Command, [word, ...rest]: readonly string[]): boolean {
  const command = program.commands.find((one) => one.name() === word)
  return command !== undefined && (rest.length === 0 || command.commands.length === 0 || isCommand(command, rest))
}
