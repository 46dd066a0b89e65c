/** Runs the README: its commands in one shell, and its links in a browser. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../banks/directory/validate-bank-profile.ts'
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

test('the commands of the README take a newcomer from nothing to a settled payment', async () => {
  const [getIn = '', askForAccess = '', order = '', sign = '', settle = '', ...others] =
    await journeyBlocks('Pay a supplier')
  expect(others).toEqual([])

  expect(await shell.run(getIn)).toBe('Company 987654325, bank FJORNO22, user 01815012345')
  const access = await shell.run(askForAccess)
  await expect(shell.run(order)).rejects.toThrow('Error: The consent has been AUTHORIZATION_REQUIRED since')
  expect(await followLink(access)).toBe('success')
  expect(await shell.run(order)).toBe('Unsigned')
  expect(await followLink(await shell.run(sign))).toBe('success')
  const [signed, now = '', settled] = (await shell.run(settle)).split('\n')
  expect(signed).toBe('InProgress')
  expect(Temporal.Instant.from(now).since(gateway.context.clock.real()).total('minutes')).toBeGreaterThan(9)
  expect(settled).toBe('Completed')
})

test('the README shows the API’s message of an error, also of one that lists fields or has no response', async () => {
  const [getIn = ''] = await journeyBlocks('Pay a supplier')
  const [, definition = ''] = /^(json\(\) .*?"\$1"; \})$/ms.exec(getIn) ?? []
  for (const [response, message] of [
    ['{ "message": "This path does not exist" }', 'Error: This path does not exist'],
    ['{ "error": "invalid_client", "error_description": "Its secret is wrong" }', 'Error: Its secret is wrong'],
    ['[{ "path": ".bic", "reason": "is required" }, { "path": ".id", "reason": "is too long" }]', '.id is too long'],
    ['', 'Error: no response'],
  ]) {
    await expect(shell.run(`${definition}\njson it.id <<< '${response}'`)).rejects.toThrow(message)
  }
  expect(await shell.run(`json 'it.map(({ id }) => id)' <<< '[{ "id": 5 }]'`)).toBe('[ 5 ]')
})

test('the README shows what the profiles of real banks offer, and its pictures and links exist', async () => {
  const readme = await readFile(README, 'utf8')
  const rows = [...readme.matchAll(/^\| [^|]+ \| `([a-z0-9-]+)` \| (.+) \| (.+) \|$/gm)]
  const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
  for (const [, name = '', payments, payrolls] of rows) {
    const { products = [], constraints } = profiles.get(name) ?? {}
    const size = constraints?.maxPayrollSize ?? 0
    const offers = products.includes('PAYROLL') ? `up to ${size.toLocaleString('en')} salaries` : 'no'
    const abroad = products.includes('PAYMENT_CROSS_BORDER') ? ', cross-border' : ''
    expect([name, payments, payrolls]).toEqual([name, `domestic${abroad}`, offers])
  }
  expect(rows.map(([, name]) => name)).toEqual(['dnb', 'seb', 'sparebank1', 'sparebanken-norge', 'swedbank'])
  const targets = [...readme.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)"]+)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => /\.(svg|png)$/.test(target))).toHaveLength(4)
  const broken: string[] = []
  for (const target of targets) {
    const [path = '', anchor] = target.split('#')
    const text = await readFile(new URL(path, README), 'utf8').catch((error) =>
      error.code === 'EISDIR' ? '' : undefined,
    )
    const headings = [...(text ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\d _-]/gu, '')
        .replaceAll(' ', '-'),
    )
    if (text === undefined || (anchor !== undefined && !headings.includes(anchor))) {
      broken.push(target)
    }
  }
  expect(broken).toEqual([])
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
