/** Tests the frame of `npm run test:clients`: selection, results, clean-up and the table; the steps are that command's. */
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientStep } from './client-step.ts'
import { runClientSteps } from './run-client-steps.ts'

const printed: string[] = []

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(String(line)))
})

afterEach(() => {
  vi.restoreAllMocks()
  printed.length = 0
})

function step(name: string, run: ClientStep['run']): ClientStep {
  return { name, title: 'a test', run }
}

describe('runClientSteps', () => {
  it('runs every step, also after one that fails, and prints a table of what each showed', async () => {
    const steps = [
      step('broken', async ({ run }) => {
        await run('node', ['-e', 'console.log("first line"); console.error("the reason"); process.exit(3)'])
        return {}
      }),
      step('sound', async ({ run }) => ({ language: (await run('node', ['-p', '1 + 1'])).trim(), paid: 'Completed' })),
    ]
    expect(await runClientSteps(steps, [])).toBe(false)
    const table = printed.at(-1)?.trim().split('\n') ?? []
    expect(table.map((line) => line.split(/ +/))).toEqual([
      ['step', 'language', 'operations', 'compiled', 'paid', 'seconds', 'result'],
      ['broken', '–', '–', '–', '–', expect.stringMatching(/^\d+$/), 'FAILED'],
      ['sound', '2', '–', '–', 'Completed', expect.stringMatching(/^\d+$/), 'passed'],
    ])
    expect(printed.find((line) => line.includes('FAILED after'))).toMatch(/first line[\s\S]*the reason/)
  })

  it('gives each step a folder of its own and deletes it at the end', async () => {
    const folders: string[] = []
    const write: ClientStep['run'] = async ({ folder }) => {
      folders.push(folder)
      await writeFile(join(folder, 'result.txt'), 'something')
      return {}
    }
    expect(await runClientSteps([step('one', write), step('two', write)], [])).toBe(true)
    expect(new Set(folders).size).toBe(2)
    for (const folder of folders) {
      await expect(access(folder)).rejects.toThrow('ENOENT')
    }
  })

  it('runs the steps whose name contains a word, and names the steps when there is none', async () => {
    const ran: string[] = []
    const steps = ['java', 'python', 'python-sdk'].map((name) =>
      step(name, async () => {
        ran.push(name)
        return {}
      }),
    )
    await runClientSteps(steps, ['python'])
    expect(ran).toEqual(['python', 'python-sdk'])
    await expect(runClientSteps(steps, ['java', 'cobol'])).rejects.toThrow(
      'No step is called cobol. The steps are: java, python, python-sdk',
    )
  })
})
