/** Checks the `havn` commands that documents show: each exists, and has the options and arguments that it is given. */

import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS } from '../command-table.ts'
import { havnProgram } from '../program.ts'

const ROOT = new URL('../../', import.meta.url)
const SHELL_BLOCK = /^```sh\n(.*?)^```/gms

test('every command of havn in the documents exists, with its options', async () => {
  const files = globSync(['README.md', 'docs/*.md', 'docs/guides/*.md', 'docs/operating/*.md'], { cwd: ROOT.pathname })
  const lines: string[] = []
  for (const file of files) {
    const text = await readFile(new URL(file, ROOT), 'utf8')
    const blocks = [...text.matchAll(SHELL_BLOCK)].map(([, block = '']) => block.replaceAll('\\\n', ' '))
    lines.push(...blocks.flatMap((block) => block.split('\n')).filter((line) => /^\s*(npx )?havn /.test(line)))
  }
  expect(lines.length).toBeGreaterThan(20)
  const program = await havnProgram()
  expect(lines.map((line) => [line, mistakeIn(program, line)]).filter(([, mistake]) => mistake !== undefined)).toEqual(
    [],
  )
})

test('every command for developers has --json', async () => {
  const runnable = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(runnable)
  const entries = Object.entries(COMMANDS["For a partner's developers"])
  const declared = entries.map(async ([name, { declare }]) => {
    const command = new Command(name)
    ;(await declare())(command)
    return runnable(command)
  })
  const all = (await Promise.all(declared)).flat()
  expect(all.length).toBeGreaterThan(10)
  const without = all.filter(({ options }) => !options.some(({ long }) => long === '--json'))
  expect(without.map((command) => command.name())).toEqual([])
})

/** What is wrong with a command; undefined for a valid one. */
function mistakeIn(program: Command, line: string): string | undefined {
  const words = wordsOf(line).slice(1)
  let command = program
  while (command.commands.length > 0) {
    const found = command.commands.find((one) => one.name() === words[0])
    if (found === undefined) {
      return words[0]?.startsWith('-') ? undefined : `There is no command ${words[0]}`
    }
    command = found
    words.shift()
  }
  const { operands, unknown } = command.parseOptions(words)
  const wanted = command.registeredArguments
  const least = wanted.filter(({ required }) => required).length
  const most = wanted.some(({ variadic }) => variadic) ? operands.length : wanted.length
  const fits = operands.length >= least && operands.length <= most
  return unknown.length > 0 ? `unknown: ${unknown.join(' ')}` : fits ? undefined : `arguments: ${operands.join(' ')}`
}

/** The words of a line as a shell splits it, up to a comment, a pipe or a redirection. */
function wordsOf(line: string): readonly string[] & { shift(): string | undefined } {
  const found =
    line
      .trim()
      .replace(/^npx /, '')
      .match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
  const end = found.findIndex((word) => /^(#|\||>|&|;|<(?!\w+>))/.test(word))
  return (end === -1 ? found : found.slice(0, end)).map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
}
