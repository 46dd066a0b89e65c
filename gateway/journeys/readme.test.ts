/** Runs the README: its commands in one shell, and its links in a browser. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitBank } from '../testing/browser/bank-user.ts'
import { type DocumentationShell, openDocumentationShell, shellBlocks } from '../testing/gateway/documentation-shell.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'

const README = new URL('../../README.md', import.meta.url)

let gateway: TestGateway
let shell: DocumentationShell
beforeAll(async () => {
  gateway = await startTestGateway()
  shell = await openDocumentationShell()
})
afterAll(async () => {
  await shell.close()
  await gateway.close()
})

test('the commands of the README take a newcomer from nothing to a settled payment, and to paid salaries', async () => {
  const [getIn = '', askForAccess = '', order = '', sign = '', settle = '', ...others] =
    await journeyBlocks('Pay a supplier')
  expect(others).toEqual([])

  expect(await shell.run(getIn)).toBe('Company 987654325, bank FJORNO22, user 01815012345')
  expect(await followLink(await shell.run(askForAccess))).toBe('success')
  expect(await shell.run(order)).toBe('Unsigned')
  expect(await followLink(await shell.run(sign))).toBe('success')
  const [signed, now = '', settled] = (await shell.run(settle)).split('\n')
  expect(signed).toBe('InProgress')
  expect(Temporal.Instant.from(now).since(gateway.context.clock.real()).total('minutes')).toBeGreaterThan(9)
  expect(settled).toBe('Completed')

  const [askAtBank = '', pay = '', look = '', ...more] = await journeyBlocks('Pay salaries')
  expect(more).toEqual([])
  expect(await followLink(await shell.run(askAtBank))).toBe('success')
  expect(await followLink(await shell.run(pay))).toBe('success')
  expect(await shell.run(look)).toBe('SAL-1 InProgress')
})

/** The commands of a journey, with the URLs of this test's gateway and bank. */
async function journeyBlocks(title: string): Promise<readonly string[]> {
  const readme = await readFile(README, 'utf8')
  const [, journey = ''] = new RegExp(`^## ${title}\\n(.+?)^## `, 'ms').exec(readme) ?? []
  return shellBlocks(journey).map((block) =>
    block.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('http://127.0.0.1:8081', gateway.bank.pagesUrl),
  )
}

async function followLink(printed: string): Promise<string | null> {
  const [, link = ''] = /^Open: (http\S+)$/.exec(printed) ?? []
  return (await visitBank(link)).searchParams.get('status')
}
