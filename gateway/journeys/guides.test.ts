/** Runs the commands of the guides as pasted, the links that they print in a browser. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { GUIDES } from '../../docs-site/guides/guide-list.ts'
import { operationPath } from '../../docs-site/operation-groups.ts'
import { createHavnClient } from '../../sdk/index.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { openBrowserUser, sharedChromium } from '../testing/browser/browser-user.ts'
import { type CommandEvaluator, openCommandEvaluator } from '../testing/gateway/command-evaluator.ts'
import { type DocumentationGateway, startDocumentationGateway } from '../testing/gateway/documentation-gateway.ts'
import { openDocumentationShell } from '../testing/gateway/documentation-shell.ts'
import {
  type DocumentedCommand,
  PREPARATION_GUIDE,
  readCommands,
  readDocument,
} from '../testing/gateway/documented-commands.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'

const LINK = /^Open: (http\S+)$/m
/** Commands in the source tree, whose paths `docs-site/guides/named-paths.test.ts` looks up, are not run. */
const ENGINEERS = 'npm() { :; }; havn() { :; }; cp() { :; }'
/** The environment of a reader who runs commands of `havn`. */
const readerSettings = () => ({
  HAVN_DATA_DIR: 'none',
  HAVN_URL: running.gateway.url,
  HAVN_CLIENT_ID: demoCredentials.clientId,
  HAVN_CLIENT_SECRET: demoCredentials.clientSecret,
})
/** What a reader does before the commands of a guide. `cli/guide/documented-commands.test.ts` checks those of `havn`. */
const READER_STEPS: Readonly<Record<string, () => string>> = {
  'guides/adding-a-bank.md': () => ENGINEERS,
  'guides/adding-a-standard.md': () => ENGINEERS,
  'guides/salaries.md': () => evaluator.havn,
  'webhooks.md': () => "havn() { :; }; TIMESTAMP=1795424666; SECRET=test; printf '{}' > body.json",
}

let running: DocumentationGateway
let evaluator: CommandEvaluator
let preparation: readonly DocumentedCommand[]
beforeAll(async () => {
  ;[running, evaluator] = await Promise.all([startDocumentationGateway(), openCommandEvaluator(readerSettings)])
  preparation = await readCommands(running.gateway, PREPARATION_GUIDE)
})
// What is open is polled at each stop of a clock that moves.
beforeEach(() => disablePaymentPolling(running.gateway))
afterAll(async () => {
  await evaluator.close()
  await running.close()
})

/** As a reader does, it follows the links that commands print. */
async function runAll(commands: readonly DocumentedCommand[]): Promise<void> {
  const shell = await openDocumentationShell()
  for (const { command, expected } of commands) {
    const printed = await shell.run(command)
    expect(printed, command).not.toMatch(/undefined|svcRequestId|\[object/)
    if (expected !== undefined) {
      expect(printed, command).toBe(expected)
    }
    const [, link] = LINK.exec(printed) ?? []
    if (link !== undefined) {
      const userId = await shell.run('echo $USER_ID')
      expect((await visitBank(link, { userId })).searchParams.get('status'), command).toBe('success')
    }
  }
  await shell.close()
}

test.each(GUIDES)('the commands of $file do what it says', async ({ file }) => {
  if (file === PREPARATION_GUIDE) {
    // Node and curl themselves run these, and those of the README.
    await runAll(preparation)
    return
  }
  const commands = await readCommands(running.gateway, file)
  if (commands.length > 0) {
    const beginning = [{ command: evaluator.commands, expected: undefined }, ...preparation]
    const command = READER_STEPS[file]?.()
    await runAll([...beginning, ...(command === undefined ? [] : [{ command, expected: undefined }]), ...commands])
  }
})

test('the client of the guide on authentication is made as pasted', async () => {
  const [, block = ''] = /^```ts\n(.*?)^```/ms.exec(await readDocument(running.gateway, PREPARATION_GUIDE)) ?? []
  const [first, ...program] = block.split('\n')
  expect(first).toBe("import { createHavnClient } from '@havn/client'")
  const made = new Function('createHavnClient', `${program.join('\n')}\nreturn { havn, psu }`)(createHavnClient)
  const [company] = await made.havn.listCompanies()
  expect([company.organizationNumber.length > 0, made.psu.ipAddress]).toEqual([true, '127.0.0.1'])
})

test('the form of an example sends it with the values of the reader at any width, and enters the ids of its answer elsewhere', async () => {
  const browser = await sharedChromium()
  const reader = await openBrowserUser(browser, { album: 'documentation' })
  const { page } = reader
  const formOf = async (operation: Operation, width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${running.gateway.config.baseUrl}${operationPath(operation)}`)
    const form = page.locator(`#${operation.id} .try-it`).first()
    await form.locator('summary').click()
    return form
  }
  const tokens = await formOf(operations.issueToken, 390)
  await tokens.getByLabel('clientId').fill(demoCredentials.clientId)
  await tokens.getByLabel('clientSecret').fill(demoCredentials.clientSecret)
  await tokens.getByRole('button').click()
  await tokens.getByText('200 OK').waitFor()
  await reader.look('try-it', '#issueToken .try-it')
  const consents = await formOf(operations.createConsent, 1024)
  await consents.getByRole('button').click()
  await consents.getByText('AUTHORIZATION_REQUIRED').waitFor()
  const revocation = await formOf(operations.revokeConsent, 1440)
  expect(await revocation.getByLabel('consentId').inputValue()).toMatch(/^[\da-f-]{36}$/)
  await revocation.getByRole('button').click()
  expect(await revocation.locator('.answer').textContent()).toBe('')
  await revocation.getByRole('checkbox').check()
  await revocation.getByRole('button').click()
  await revocation.getByText(/^\d{3} /).waitFor()
  await reader.close()
  expect(reader.complaints.filter((text) => !text.includes('status of 4'))).toEqual([])
})
