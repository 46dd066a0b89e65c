/** Conformance tests of sign-in, at banks that require it for every call. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { BankTokens } from '../connector/sca-authorisation.ts'
import { type ConformanceContext, required, type UserDecision } from './conformance-harness.ts'

export function signInConformance({ harness }: ConformanceContext): void {
  describe('signing in', () => {
    beforeEach(({ skip }) => {
      skip(harness().caller.bank.profile.oauth !== 'pre-step', 'The bank asks for no signing in')
    })

    test('gives access to the bank, and is refreshed without the user', async () => {
      const { caller } = harness()
      const { brought } = await visited('sign')
      const tokens = tokensOf(await product().exchange(caller.bank, brought))
      const opened = { ...caller, accessToken: tokens.accessToken }
      expect(await mayAsk(opened.accessToken)).toBe(true)
      const refreshToken = required(tokens.refreshToken ?? undefined, 'Not renewable')
      const renewed = await product().refresh(caller.bank, { ...tokens, refreshToken })
      expect(renewed.accessToken).not.toBe(tokens.accessToken)
      expect(await mayAsk(renewed.accessToken)).toBe(true)
      expect(Temporal.Instant.compare(renewed.expiresAt, tokens.expiresAt)).toBeGreaterThanOrEqual(0)
    })

    test('is what the bank requires first, and what it requests when a token is invalid', async () => {
      await expect(mayAsk(null)).rejects.toMatchObject({ kind: 'token-invalid' })
      await expect(mayAsk('forged')).rejects.toMatchObject({ kind: 'token-invalid' })
      const { bank } = harness().caller
      const { server } = tokensOf(await product().exchange(bank, (await visited('sign')).brought))
      const renewal = product().refresh(bank, { server, refreshToken: 'forged' })
      await expect(renewal).rejects.toMatchObject({ kind: 'token-invalid' })
    })

    test('gives no access once it is revoked, and revoking again does no harm', async ({ skip }) => {
      const { bank } = harness().caller
      const tokens = tokensOf(await product().exchange(bank, (await visited('sign')).brought))
      expect(await mayAsk(tokens.accessToken)).toBe(true)
      skip(!(await product().revokeGrant(bank, tokens)), 'The bank ends no grants')
      await expect(mayAsk(tokens.accessToken)).rejects.toMatchObject({ kind: 'token-invalid' })
      const refreshToken = required(tokens.refreshToken ?? undefined, 'Not renewable')
      await expect(product().refresh(bank, { ...tokens, refreshToken })).rejects.toMatchObject({
        kind: 'token-invalid',
      })
      await product().revokeGrant(bank, tokens)
    })

    test('that the user rejects, that another user started, or that was used before is worthless', async () => {
      const { bank } = harness().caller
      expect(await product().exchange(bank, (await visited('reject')).brought)).toBe('denied')
      const { brought } = await visited('sign')
      const another = await product().begin(bank, harness().back)
      expect(await product().exchange(bank, { ...brought, returnSecret: another.returnSecret })).toBeNull()
      expect(await product().exchange(bank, { ...brought, returnSecret: null })).toBeNull()
      expect(
        await product().exchange(bank, { ...brought, query: { ...brought.query, iss: 'https://evil.example' } }),
      ).toBeNull()
      expect(await product().exchange(bank, brought)).not.toBeNull()
      expect(await product().exchange(bank, brought)).toBeNull()
    })
  })

  const product = () => required(harness().connector.oauth, 'The connector offers no signing in')

  function tokensOf(worth: BankTokens | 'denied' | null): BankTokens {
    return required(worth === null || worth === 'denied' ? undefined : worth, 'No tokens came')
  }

  async function visited(decision: UserDecision) {
    const { caller, back, browse } = harness()
    const { url, returnSecret } = await product().begin(caller.bank, back)
    const query = await browse(url, decision, caller.userId ?? undefined)
    return { brought: { query, returnSecret, back } }
  }

  /** Whether the bank accepts the creation of a consent. */
  async function mayAsk(accessToken: string | null): Promise<boolean> {
    const { caller, connector, today } = harness()
    const validUntil = (await today()).add({ days: 30 })
    const terms = { requestId: crypto.randomUUID(), validUntil }
    const { bankConsentId } = await connector.consents.create({ ...caller, accessToken }, terms)
    return bankConsentId !== ''
  }
}
