/** Runs the commands of the guides and of the reference as pasted, the links that they print in a browser. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { renderCurl } from '../../docs-site/examples/curl-example.ts'
import { examplesOf } from '../../docs-site/examples/request-example.ts'
import { adaptDocument, adaptExample } from '../../docs-site/guides/adapt-document.ts'
import { GUIDES } from '../../docs-site/guides/guide-list.ts'
import { operationPath } from '../../docs-site/operation-groups.ts'
import { createHavnClient } from '../../sdk/index.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { openBrowserUser, sharedChromium } from '../testing/browser/browser-user.ts'
import { type DocumentationGateway, startDocumentationGateway } from '../testing/gateway/documentation-gateway.ts'
import { openDocumentationShell } from '../testing/gateway/documentation-shell.ts'
import { type JsonEvaluator, openJsonEvaluator } from '../testing/gateway/json-evaluator.ts'
import { PREPARATION, referenceWalk } from '../testing/gateway/reference-walk.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)
/** A command, and the output that the guide shows directly below it. */
const COMMANDS = /^```sh\n(.*?)^```\n(?:\s*```text\n(.*?)^```)?/gms
const LINK = /^Open: (http\S+)$/m
/** The example of a returned payout takes ten seconds of clock moves. */
const WITH_PAYOUT = process.env['HAVN_REFERENCE_PAYOUT'] !== undefined
/** More than two hundred commands, on a slow and busy machine. */
const REFERENCE_MILLISECONDS = 240_000
const PREPARATION_GUIDE = 'guides/authentication.md'
/** Commands in the source tree, whose paths `docs-site/guides/named-paths.test.ts` looks up, are not run. */
const ENGINEERS = 'npm() { :; }; havn() { :; }; cp() { :; }'
const HAVN = fileURLToPath(new URL('../../cli/havn', import.meta.url))
/** The command line with the profile of a reader. Progress and notes go to a file: a block must not write errors. */
const COMMAND_LINE = `havn() { HOME=$PWD HAVN_DATA_DIR=none HAVN_URL=$HAVN HAVN_CLIENT_ID=${demoCredentials.clientId} \\
  HAVN_CLIENT_SECRET=${demoCredentials.clientSecret} '${HAVN}' "$@" 2>> notes.txt || cat notes.txt >&2; }`
/** What a reader does before the commands of a guide. `cli/guide/documented-commands.test.ts` checks those of `havn`. */
const READER_STEPS: Readonly<Record<string, string>> = {
  'guides/adding-a-bank.md': ENGINEERS,
  'guides/adding-a-standard.md': ENGINEERS,
  'guides/salaries.md': COMMAND_LINE,
  'webhooks.md': "havn() { :; }; TIMESTAMP=1795424666; SECRET=test; printf '{}' > body.json",
}

let running: DocumentationGateway
let evaluator: JsonEvaluator
let preparation: readonly Command[]
beforeAll(async () => {
  ;[running, evaluator] = await Promise.all([startDocumentationGateway(), openJsonEvaluator()])
  preparation = await commandsOf(PREPARATION_GUIDE)
})
afterAll(async () => {
  await evaluator.close()
  await running.close()
})

type Command = { readonly command: string; readonly expected: string | undefined }

const demoPlace = () => ({ ...running.gateway.config, demo: true })

async function adaptedDocument(file: string): Promise<string> {
  return adaptDocument(await readFile(new URL(file, DOCUMENTS), 'utf8'), demoPlace())
}

async function commandsOf(file: string): Promise<readonly Command[]> {
  return [...(await adaptedDocument(file)).matchAll(COMMANDS)].map(([, command = '', expected]) => ({
    command,
    expected: expected?.trim(),
  }))
}

/** As a reader does, it follows the links that commands print. */
async function runAll(commands: readonly Command[]): Promise<void> {
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
    // Node itself evaluates these.
    await runAll(preparation)
    return
  }
  const before = READER_STEPS[file] === undefined ? [] : [{ command: READER_STEPS[file], expected: undefined }]
  const evaluating = { command: evaluator.commands, expected: undefined }
  await runAll([evaluating, ...preparation, ...before, ...(await commandsOf(file))])
})

test('the client of the guide on authentication is made as pasted', async () => {
  const [, block = ''] = /^```ts\n(.*?)^```/ms.exec(await adaptedDocument(PREPARATION_GUIDE)) ?? []
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

test('every example of the reference has its documented status in the order of a reader', {
  timeout: REFERENCE_MILLISECONDS,
}, async () => {
  await disablePaymentPolling(running.gateway)
  const all: readonly Operation[] = Object.values(operations)
  const examples = new Map(
    all.flatMap((operation) =>
      examplesOf(operation).map((example) => {
        const { id, answer } = operation
        const key = example.index === 0 ? id : `${id}[${example.index}]`
        const statuses = answer.continuesWith === undefined ? [answer.status] : [answer.status, 202]
        return [key, { command: adaptExample(renderCurl(operation, example), demoPlace()), statuses }] as const
      }),
    ),
  )
  const shell = await openDocumentationShell()
  const prepare = async () => {
    for (const { command } of preparation) {
      await shell.run(command)
    }
  }
  await shell.run(evaluator.commands)
  await shell.run('curl() { command curl -D headers.txt "$@"; }')
  const succeeded = new Set<string>()
  for (const step of referenceWalk({ withPayout: WITH_PAYOUT })) {
    if (typeof step !== 'string' || step === PREPARATION) {
      await (typeof step === 'string' ? prepare() : shell.run(step.shell))
      continue
    }
    const { command, statuses } = examples.get(step) ?? expect.fail(`The reference has no example ${step}`)
    const printed = await shell.run(command)
    const status = Number(await shell.run('read -r _ STATUS _ < headers.txt; echo $STATUS'))
    expect(statuses, `${step} returned ${status}\n${command}\n${printed}`).toContain(status)
    succeeded.add(step)
  }
  await shell.close()
  expect([...examples.keys()].filter((key) => !succeeded.has(key))).toEqual(WITH_PAYOUT ? [] : ['stepSandboxPayout'])
})
