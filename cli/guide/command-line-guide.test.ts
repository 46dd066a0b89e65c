/** Compares `docs/command-line.md` with the commands, and requires help with examples of those for developers. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { havnProgram } from '../program.ts'
import { commandLineGuide } from './command-line-guide.ts'

it('is the guide that the commands make: npm run command-line-guide writes it', async () => {
  const written = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
  expect(written).toBe(commandLineGuide(await havnProgram()))
})

it('has an example of every command for developers', async () => {
  const sections = commandLineGuide(await havnProgram())
    .split('\n### havn ')
    .slice(1)
  const withoutExample = sections
    .filter((section) => !/```sh\n(#.*\n)?havn /.test(section))
    .map((section) => section.split('\n')[0])
  expect(sections.length).toBeGreaterThan(5)
  expect(withoutExample).toEqual([])
})
