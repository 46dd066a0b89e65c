/** Tests the page of an onboarding: what partners see of it, the case file, documents, and operators' actions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { findOnboardingByLink } from '../../gateway/onboarding/onboarding-link.ts'
import { createSignerLink } from '../../gateway/onboarding/signatures/create-signer-link.ts'
import { HOTEL, openOnboardingDriver, SHIPPING } from '../../gateway/onboarding/testing/onboarding-driver.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { createReviewedOnboarding, DOCUMENT_CONTENT } from '../../gateway/testing/console/stored-onboardings.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

const PATH = '/console/onboardings'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** Of a new partner: a company is accepted once. */
async function reviewed() {
  const { partner } = await createPartner(gateway.context, 'test', { name: newId() })
  return await createReviewedOnboarding(gateway, partner.id)
}

const operator = () => signInAs(gateway, 'operator')
const actionsOf = async (id: string) =>
  (
    await gateway.context.database.pool.query(
      'select actor, action, detail from audit_log where subject_id = $1 order by id',
      [id],
    )
  ).rows.map(({ actor, action, detail }) => [actor, action, detail])

describe('an onboarding', () => {
  it('is shown to a partner’s users as over the API: without documents, persons and their data', async () => {
    const onboarder = openOnboardingDriver(gateway)
    const key = await onboarder.start(SHIPPING)
    await onboarder.complete(key)
    const page = await (await signInAs(gateway, 'partner-developer')).open(`${PATH}/${key.id}`)
    const text = textOf(page)
    expect(text).toContain('Onboarding of Stormyr Rederi AS')
    expect(text).toMatch(/Status ManualHandling .*May become Accepted, Rejected, Cancelled Company NO 987654430/)
    expect(text).toMatch(/Signatures: done/)
    const [signer] = await onboarder.signers(key)
    for (const secret of [signer?.name ?? '', 'Documents', 'owners who', 'Born', 'Accept the company', 'History']) {
      expect(page.html).not.toContain(secret)
    }
    expect(await actionsOf(key.id)).not.toContainEqual(expect.arrayContaining(['onboarding looked at']))
    expect((await (await signInAs(gateway, 'partner-payroll')).open(`${PATH}/${key.id}`)).status).toBe(403)
  })

  it('is a case file for operators, whose access is recorded', async () => {
    const { id } = await reviewed()
    const page = await (await signInAs(gateway, 'operator-reader')).open(`${PATH}/${id}`)
    const text = textOf(page)
    for (const part of [
      'Task: Onboarding to review why: The company states that an owner is politically exposed',
      'Name Stormyr Rederi AS',
      'Politically exposed',
      'Signed',
      'Requested The articles of association',
      'vedtekter&#34;.html application/pdf 1 kB',
      'Registry, read at',
      'to: ManualHandling, from: AwaitingCustomerAction, reason: RiskEvaluation',
    ]) {
      expect(text).toContain(part)
    }
    expect(page.html).not.toMatch(/<form[^>]* action="\/console\/onboardings\/[^"]+\/accept"/)
    expect((await actionsOf(id)).at(-1)).toEqual([
      'operator Cecilie Ruud (sandbox operator-reader)',
      'onboarding looked at',
      {},
    ])
  })

  it('has documents that are downloaded, never shown, and each download is recorded with who and which', async () => {
    const { id, documentId } = await reviewed()
    const browser = await operator()
    const { html: content, headers } = await browser.open(`${PATH}/${id}/documents/${documentId}`)
    expect(content).toBe(DOCUMENT_CONTENT.toString())
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}-1.pdf"`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await actionsOf(id)).at(-1)).toEqual([
      'operator Bjørn Moe (sandbox operator)',
      'onboarding document read',
      { documentId },
    ])
    const other = await reviewed()
    for (const path of [`${id}/documents/${newId()}`, `${id}/documents/x`, `${other.id}/documents/${documentId}`]) {
      expect((await browser.open(`${PATH}/${path}`)).status, path).toBe(404)
    }
  })
})

describe('an action on an onboarding', () => {
  it('accepts the company, once, with who did it', async () => {
    const { id } = await reviewed()
    const browser = await operator()
    const tab = browser.tab()
    await browser.open(`${PATH}/${id}`)
    await tab.open(`${PATH}/${id}`)
    const accepted = await browser.send(`${PATH}/${id}/accept`)
    expect([accepted.place, textOf(accepted)]).toEqual([`${PATH}/${id}`, expect.stringContaining('Status Accepted')])
    expect(await actionsOf(id)).toContainEqual([
      'operator Bjørn Moe (sandbox operator)',
      'onboarding moved',
      { from: 'ManualHandling', to: 'Accepted' },
    ])
    const late = await tab.send(`${PATH}/${id}/reject`, { reason: 'RiskEvaluation' })
    expect([late.status, textOf(late)]).toEqual([409, expect.stringContaining('It is now Accepted')])
    expect(textOf(late)).not.toContain('Reject the company')
  })

  it('rejects the company with a reason, which must be one of them', async () => {
    const { id } = await reviewed()
    const browser = await operator()
    await browser.open(`${PATH}/${id}`)
    const incomplete = await browser.send(`${PATH}/${id}/reject`, { reason: 'Mood' })
    expect([incomplete.status, textOf(incomplete)]).toEqual([422, expect.stringContaining('Nothing was changed')])
    expect(textOf(await browser.send(`${PATH}/${id}/reject`, { reason: 'RiskEvaluation' }))).toContain(
      'Status Rejected Reason RiskEvaluation',
    )
  })

  it('asks for documents, in a text that is shown again when it is too long', async () => {
    const { id } = await reviewed()
    const browser = await operator()
    await browser.open(`${PATH}/${id}`)
    const words = 'Proof of address '.repeat(200)
    const long = await browser.send(`${PATH}/${id}/ask-for-documents`, { words })
    expect([long.status, long.html.includes('Proof of address Proof')]).toEqual([409, true])
    await browser.open(`${PATH}/${id}`)
    const asked = await browser.send(`${PATH}/${id}/ask-for-documents`, { words: 'Proof of address' })
    expect(textOf(asked)).toContain('Requested Proof of address')
    expect(textOf(asked)).toContain('Requested documents: open')
  })

  it('cancels it: an operator’s, and a partner’s own', async () => {
    const { id } = await reviewed()
    const browser = await operator()
    await browser.open(`${PATH}/${id}`)
    expect(textOf(await browser.send(`${PATH}/${id}/cancel`))).toContain('Status Cancelled')
    const own = await openOnboardingDriver(gateway).start(HOTEL)
    const user = await signInAs(gateway, 'partner-finance')
    await user.open(`${PATH}/${own.id}`)
    expect(textOf(await user.send(`${PATH}/${own.id}/cancel`))).toContain('Status Cancelled')
    expect(await actionsOf(own.id)).toContainEqual([
      'user Eva Sund (sandbox partner-finance)',
      'onboarding moved',
      { from: 'Created', to: 'Cancelled' },
    ])
  })

  it('revokes the link of the company, or of a signer', async () => {
    const driver = openOnboardingDriver(gateway)
    const key = await driver.start(HOTEL)
    const [signer] = await driver.submit(key)
    const link = signer === undefined ? undefined : await createSignerLink(gateway.context, signer)
    const leads = async (url = '') =>
      (await findOnboardingByLink(gateway.context, { ...key, token: url.split('/').at(-1) ?? '' })) !== undefined
    expect([await leads(link), await leads(key.url)]).toEqual([true, true])
    const browser = await operator()
    await browser.open(`${PATH}/${key.id}`)
    const unknown = await browser.send(`${PATH}/${key.id}/revoke-link`, { signer: key.id })
    expect([unknown.status, textOf(unknown)]).toEqual([409, expect.stringContaining('has no signer')])
    await browser.open(`${PATH}/${key.id}`)
    await browser.send(`${PATH}/${key.id}/revoke-link`, { signer: signer?.id ?? '' })
    expect([await leads(link), await leads(key.url)]).toEqual([false, true])
    await browser.send(`${PATH}/${key.id}/revoke-link`)
    expect(await leads(key.url)).toBe(false)
    expect(await actionsOf(key.id)).toContainEqual([
      'operator Bjørn Moe (sandbox operator)',
      'onboarding link revoked',
      expect.anything(),
    ])
  })
})
