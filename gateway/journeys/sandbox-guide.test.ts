/** Runs the commands of the sandbox guide, which need no browser. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandEvaluator, openCommandEvaluator } from '../testing/gateway/command-evaluator.ts'
import { type DocumentationShell, openDocumentationShell, shellBlocks } from '../testing/gateway/documentation-shell.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'

const GUIDE = new URL('../../docs/sandbox.md', import.meta.url)

let gateway: TestGateway
let evaluator: CommandEvaluator
let shell: DocumentationShell
beforeAll(async () => {
  gateway = await startTestGateway()
  evaluator = await openCommandEvaluator()
  shell = await openDocumentationShell()
  await shell.run(evaluator.commands)
})
afterAll(async () => {
  await shell.close()
  await evaluator.close()
  await gateway.close()
})

test('the commands of the guide show what the guide says', { timeout: 60_000 }, async () => {
  const blocks = shellBlocks(await readFile(GUIDE, 'utf8')).map((block) =>
    block.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('http://127.0.0.1:8081', gateway.bank.pagesUrl),
  )
  const printed: string[][] = []
  for (const block of blocks) {
    printed.push((await shell.run(block)).split('\n'))
  }
  expect(printed).toEqual([
    [''],
    ['ACCEPTED'],
    ['STARTED', 'Completed', "Rejected, Returned by the receiver's bank"],
    ['InvalidAccountNumber at .to.account.bban', 'INVALID_OCR'],
    ['STARTED', expect.stringContaining('CustomerActionRequired, SmsConfirmationRequired'), 'ACSP', 'InProgress'],
    ['The bank cannot be reached at present; nothing was done. Try again later'],
  ])
})
