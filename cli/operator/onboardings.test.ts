/** Tests `havn onboarding` and `havn partner agreement` on the command line, with a running gateway. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeDocuments, uploadDocument } from '../../gateway/onboarding/documents/upload-document.ts'
import { findOnboardingByLink } from '../../gateway/onboarding/onboarding-link.ts'
import { createSignerLink } from '../../gateway/onboarding/signatures/create-signer-link.ts'
import { HOTEL, openOnboardingDriver, SHIPPING } from '../../gateway/onboarding/testing/onboarding-driver.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 120_000
let gateway: TestGateway
let onboarder: ReturnType<typeof openOnboardingDriver>
let folder: string

beforeAll(async () => {
  gateway = await startTestGateway()
  onboarder = openOnboardingDriver(gateway)
  folder = await mkdtemp(join(tmpdir(), 'havn-documents-'))
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

async function havn(...words: string[]): Promise<CommandResult> {
  const env = {
    DATABASE_URL: gateway.connectionString,
    HAVN_MASTER_KEY_FILE: gateway.config.masterKeyFile,
    HAVN_MODE: 'sandbox',
    HAVN_OPERATOR: 'Ingrid',
  }
  return await runHavnCommand(words, env)
}

async function handled() {
  const key = await onboarder.start(SHIPPING)
  await onboarder.complete(key)
  return key
}

describe('havn onboarding', { timeout: TEST_MILLISECONDS }, () => {
  it('lists onboardings to review, prints one, requests and saves documents, and accepts', async () => {
    const key = await handled()
    const listed = await havn('onboarding', 'list')
    expect(listed.out).toMatch(
      new RegExp(
        `${key.id}\\s+Demo partner\\s+NO\\s+987654430\\s+Stormyr Rederi AS\\s+ManualHandling \\(RiskEvaluation\\)`,
      ),
    )
    const { out } = await havn('onboarding', 'show', key.id)
    expect(out).toMatch(/^company\s+Stormyr Rederi AS \(NO 987654430\)\n/)
    expect(out).toMatch(/owner .*politically exposed/)
    expect(out).toMatch(/signer .*, Signed, /)
    expect(out).toMatch(/identified .*, born \d{4}-\d\d-\d\d, signed \d{4}-.*, level test/)
    expect(out).toMatch(/system user Ingrid\s+onboarding looked at/)
    const asked = await havn('onboarding', 'ask-for-documents', key.id, 'The articles of association')
    expect(asked.out).toBe(`The onboarding ${key.id} is ManualHandling (MissingDocuments).\n`)
    const file = { name: '../../etc/vedtekter.pdf', content: Buffer.from('%PDF-1.7\n') }
    await uploadDocument(gateway.context, key, file)
    await completeDocuments(gateway.context, key)
    const saved = await havn('onboarding', 'save-documents', key.id, folder)
    expect(saved.out).toBe(`${join(folder, `${key.id}-1.pdf`)}  vedtekter.pdf\n`)
    expect(await readFile(join(folder, `${key.id}-1.pdf`))).toEqual(file.content)
    expect((await havn('onboarding', 'accept', key.id)).out).toBe(`The onboarding ${key.id} is Accepted.\n`)
    const history = (await havn('onboarding', 'show', key.id)).out
    expect(history).toMatch(/system user Ingrid\s+onboarding document read\s+\{"documentId":"[\w-]{36}"\}/)
    expect(history).toMatch(/system user Ingrid\s+onboarding moved .*"Accepted"/)
    expect(await gateway.client.listCompanies()).toContainEqual(expect.objectContaining({ onboardingId: key.id }))
  })

  it('rejects with a reason, and only once', async () => {
    const key = await onboarder.start({ country: 'NO', organizationNumber: '987654449' })
    await onboarder.complete(key)
    expect((await havn('onboarding', 'reject', key.id)).error).toContain("'--reason <reason>' not specified")
    const strange = await havn('onboarding', 'reject', key.id, '--reason', 'Mood')
    expect(strange.error).toContain('Allowed choices are RiskEvaluation')
    const rejected = await havn('onboarding', 'reject', key.id, '--reason', 'RiskEvaluation')
    expect(rejected.out).toBe(`The onboarding ${key.id} is Rejected (RiskEvaluation).\n`)
    const again = await havn('onboarding', 'accept', key.id)
    expect(again).toMatchObject({
      code: 1,
      error: expect.stringContaining('is Rejected; only one in ManualHandling can be reviewed'),
    })
  })

  it('cancels, and revokes links', async () => {
    const key = await onboarder.start(HOTEL)
    const [signer] = await onboarder.submit(key)
    const link = signer === undefined ? undefined : await createSignerLink(gateway.context, signer)
    const leads = async (url = '') =>
      (await findOnboardingByLink(gateway.context, { ...key, token: url.split('/').at(-1) ?? '' })) !== undefined
    expect([await leads(link), await leads(key.url)]).toEqual([true, true])
    expect((await havn('onboarding', 'revoke-link', key.id, '--signer', key.id)).code).toBe(1)
    await havn('onboarding', 'revoke-link', key.id, '--signer', signer?.id ?? '')
    expect([await leads(link), await leads(key.url)]).toEqual([false, true])
    await havn('onboarding', 'revoke-link', key.id)
    expect(await leads(key.url)).toBe(false)
    expect((await havn('onboarding', 'cancel', key.id)).out).toBe(`The onboarding ${key.id} is Cancelled.\n`)
    const listed = await havn('onboarding', 'list', 'Demo partner', '--status', 'cancelled')
    expect(listed.out).toMatch(new RegExp(`${key.id}.*Cancelled`))
  })

  it('prints one sentence for what is not possible', async () => {
    expect(await havn('onboarding', 'show', 'abc')).toMatchObject({
      code: 1,
      error: 'havn: abc is not an onboarding id; havn onboarding list prints the ids\n',
    })
    const nobodys = '01a207a2-0000-7000-8000-000000000000'
    expect((await havn('onboarding', 'accept', nobodys)).error).toBe(`havn: There is no onboarding ${nobodys}\n`)
    expect((await havn('onboarding', 'list', '--status', 'Lost')).error).toContain('--status must be one of Created')
  })
})

describe('havn partner agreement', { timeout: TEST_MILLISECONDS }, () => {
  it('records a permission of a partner, once', async () => {
    const on = ['partner', 'agreement', 'ais-registration', 'on', 'Demo partner']
    await havn('partner', 'agreement', 'ais-registration', 'off', 'Demo partner')
    expect((await havn(...on)).out).toBe('Demo partner: ais-registration on.\n')
    expect((await havn(...on)).out).toBe('Demo partner: ais-registration on (as before).\n')
    expect((await havn('partner', 'list')).out).toMatch(/Demo partner.*ais-registration/)
    const registered = await gateway.client.registerCompany({ body: { country: 'DK', organizationNumber: '99001305' } })
    expect(registered.services).toEqual(['AIS'])
    await havn('partner', 'agreement', 'ais-registration', 'off', 'Demo partner')
    const refused = gateway.client.registerCompany({ body: { country: 'SE', organizationNumber: '5599901104' } })
    await expect(refused).rejects.toMatchObject({ status: 403 })
  })
})
