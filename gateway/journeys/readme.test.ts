/** Runs the journey of the README as a newcomer does: its commands in one shell, its links in a browser. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitBank } from '../testing/user.ts'
import { startWholeGateway, type WholeGateway } from '../testing/whole-gateway.ts'

const README = new URL('../../README.md', import.meta.url)
const END_OF_BLOCK = '--- the block has ended ---'

let gateway: WholeGateway
let folder: string
let shell: ChildProcessWithoutNullStreams
beforeAll(async () => {
  gateway = await startWholeGateway()
  folder = await mkdtemp(join(tmpdir(), 'havn-readme-'))
  shell = spawn('bash', { cwd: folder })
})
afterAll(async () => {
  const ended = new Promise((resolve) => shell.once('exit', resolve))
  shell.stdin.end()
  await ended
  await rm(folder, { recursive: true })
  await gateway.close()
})

test('the commands of the README take a newcomer from nothing to a settled payment', async () => {
  const [getIn = '', askForAccess = '', order = '', sign = '', settle = '', ...others] = await journeyBlocks()
  expect(others).toEqual([])

  expect(await run(getIn)).toBe('Company 987654325, bank FJORNO22, user 01815012345')
  expect(await followLink(await run(askForAccess))).toBe('success')
  expect(await run(order)).toBe('Unsigned')
  expect(await followLink(await run(sign))).toBe('success')
  const [signed, now = '', settled] = (await run(settle)).split('\n')
  expect(signed).toBe('InProgress')
  expect(Temporal.Instant.from(now).since(gateway.context.clock.real()).total('minutes')).toBeGreaterThan(9)
  expect(settled).toBe('Completed')
})

/** The blocks of the journey, told of where this test's gateway and bank are. */
async function journeyBlocks(): Promise<readonly string[]> {
  const [, journey = ''] = /^## Pay a supplier\n(.+?)^## /ms.exec(await readFile(README, 'utf8')) ?? []
  return [...journey.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) =>
    block.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('http://127.0.0.1:8081', gateway.bank.pagesUrl),
  )
}

/** Pastes a block into the shell, and answers what it printed; whatever it complains of fails the test. */
async function run(block: string): Promise<string> {
  let printed = ''
  let complained = ''
  const onComplaint = (chunk: Buffer) => {
    complained += chunk.toString()
  }
  shell.stderr.on('data', onComplaint)
  const ended = new Promise<void>((resolve) => {
    const onPrint = (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(END_OF_BLOCK)) {
        shell.stdout.off('data', onPrint)
        resolve()
      }
    }
    shell.stdout.on('data', onPrint)
  })
  shell.stdin.write(`${block}\necho '${END_OF_BLOCK}'\n`)
  await ended
  shell.stderr.off('data', onComplaint)
  expect(complained).toBe('')
  return printed.replace(END_OF_BLOCK, '').trim()
}

async function followLink(printed: string): Promise<string | null> {
  const [, link = ''] = /^Open: (http\S+)$/.exec(printed) ?? []
  return (await visitBank(link)).searchParams.get('status')
}
