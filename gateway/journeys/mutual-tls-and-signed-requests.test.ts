/** Shows that payments work over mutual TLS with signed requests, and that a rejection of our identity is reported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAuthority } from '../../launcher/certificates/authority.ts'
import type { TppIdentity } from '../banks/certificates/tpp-certificates.ts'
import { nordicBank, testedBanks } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { type TestCertificates, testCertificates, validFor } from '../testing/gateway/test-certificates.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'

let certificates: TestCertificates
let gateway: TestGateway
beforeAll(async () => {
  certificates = await testCertificates()
  await certificates.putNamed('next', { qwac: await certificates.qwac(), qseal: await certificates.qseal() })
  gateway = await startTestGateway({
    ...certificates,
    settings: { ...certificates.settings, HAVN_CERTIFICATES_DIR: certificates.folder },
  })
})
afterAll(async () => {
  await gateway.close()
  await certificates.remove()
})

const METRIC = /^havn_bank_identity_rejections_total\{bank="FJORNO22",code="(\w+)"\} (\d+)$/gm

async function alarms(at: TestGateway): Promise<Record<string, number>> {
  const text = await at.context.metrics.registry.metrics()
  return Object.fromEntries([...text.matchAll(METRIC)].map(([, code = '', count]) => [code, Number(count)]))
}

async function askForConsent(at: TestGateway): Promise<{ readonly status: number; readonly body: string }> {
  const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: '01815012345', callbackUrl: CALLBACK }
  const response = await at.fetch('/api/v2/consents', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await at.token()}`,
      'content-type': 'application/json',
      'psu-ip-address': PSU.ipAddress,
      'psu-user-agent': PSU.userAgent,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.text() }
}

describe('over a connection on which everything is signed', () => {
  test('a payment is ordered, signed and settled', async () => {
    expect(gateway.bank.xs2aUrl).toMatch(/^https:/)
    const { client } = gateway
    const consented = await acceptedConsent(gateway)
    const { paymentId } = await client.initiateDomesticPayment({ ...consented, body: domesticPayment(gateway) })
    const approval = await client.approvePayments({
      ...consented,
      body: { payments: [paymentId], callbackUrl: CALLBACK },
    })
    const back = await visitBank(approval.sca?.type === 'redirect' ? approval.sca.url : '')
    expect(back.searchParams.get('status')).toBe('success')
    await client.moveSandboxClock({ body: { advance: 'PT1H' } })
    expect(await client.getPaymentStatus({ params: { paymentId } })).toMatchObject({ status: 'Completed' })
    expect(await alarms(gateway)).toEqual({})
  })

  test('nothing is sent to a bank that is down, and no handshake begins', async () => {
    const { client, context } = gateway
    await client.disturbSandboxBank({ params: { bic: 'FJORNO22' }, body: { effect: 'down' } })
    const body = expect.stringContaining('nothing was done')
    expect(await askForConsent(gateway)).toEqual({ status: 503, body })
    await client.healSandboxBanks()
    await context.banks.resetFailures()
    expect(await askForConsent(gateway)).toMatchObject({ status: 200 })
  })

  // The payment above is signed on plain pages.
  const otherApproaches = testedBanks.filter(({ plainPages }) => !plainPages)
  test.each(otherApproaches)('accounts are read at $bic, with its own SCA approach', async (bank) => {
    const consented = await openPaymentDriver(gateway).consentOf(bank)
    expect((await gateway.client.listAccounts(consented)).accounts).not.toEqual([])
    expect(await alarms(gateway)).toEqual({})
  })
})

test('operators see on /readyz the certificates that banks see', async () => {
  const answer = await (await fetch(`${gateway.url}/readyz`)).json()
  const reported = { organizationIdentifier: 'PSDNO-FSA-123456789', roles: ['PSP_PI', 'PSP_AI'] }
  expect(answer).toEqual({
    status: 'ready',
    database: 'available',
    certificates: [
      ...['', ' next'].flatMap((name) => [
        { certificate: `QWAC${name}`, ...reported, clientAuthentication: 'named', expiresAt: expect.any(String) },
        { certificate: `QSEAL${name}`, ...reported, expiresAt: expect.any(String) },
      ]),
    ],
  })
})

describe('a certificate that a bank rejects', () => {
  const rejected = async (code: string) => {
    const before = (await alarms(gateway))[code] ?? 0
    const answer = await askForConsent(gateway)
    // None of this is the partner's error, or may be disclosed to the partner.
    expect(answer.status).toBe(503)
    expect(answer.body).not.toMatch(/certificate|signature|role/i)
    expect((await alarms(gateway))[code]).toBe(before + 1)
    expect(
      gateway
        .logLines()
        .filter((line) => line.includes(`"code":"${code}"`))
        .at(-1),
    ).toMatch(/"level":50.*a bank rejects our certificate, signature or role/)
  }
  const use = async (use: 'qwac' | 'qseal', identity: Awaited<ReturnType<TestCertificates['qwac']>>) => {
    await certificates.put(use, identity)
    await gateway.context.certificates.look()
  }

  test('a QWAC without the role: ROLE_INVALID', async () => {
    await use('qwac', await certificates.qwac({ owner: { roles: ['PSP_PI'] } }))
    await rejected('ROLE_INVALID')
    await use('qwac', await certificates.qwac())
    expect((await askForConsent(gateway)).status).toBe(200)
    expect(gateway.logLines().join('')).toContain('the bank accepts our certificate and signature again')
  })

  test('a QWAC of an authority that the bank does not trust: CERTIFICATE_INVALID', async () => {
    const foreign = await makeAuthority('Test QTSP CA 1', validFor(90))
    await use('qwac', await certificates.qwac({ issuer: foreign }))
    await rejected('CERTIFICATE_INVALID')
    await use('qwac', await certificates.qwac())
  })

  test('with any of them, an order leaves nothing behind, neither at the bank nor as an unknown outcome', async () => {
    const consented = await acceptedConsent(gateway)
    const before = await openSandboxBankControl(gateway.bank).payments()
    await use('qwac', await certificates.qwac({ owner: { roles: ['PSP_AI'] } }))
    const order = gateway.client.initiateDomesticPayment({ ...consented, body: domesticPayment(gateway) })
    await expect(order).rejects.toMatchObject({ status: 503 })
    await use('qwac', await certificates.qwac())
    expect(await openSandboxBankControl(gateway.bank).payments()).toEqual(before)
    const { rows } = await gateway.context.database.pool.query('select kind from operator_tasks')
    expect(rows).toEqual([])
  })

  test('a QSEAL of another organisation: CERTIFICATE_INVALID', async () => {
    await use('qseal', await certificates.qseal({ owner: { organizationIdentifier: 'PSDNO-FSA-987654321' } }))
    await rejected('CERTIFICATE_INVALID')
    await use('qseal', await certificates.qseal())
  })

  test('a revoked QSEAL: CERTIFICATE_REVOKED', async () => {
    const qseal = gateway.context.certificates.byName.get(null)?.qseal
    await openSandboxBankControl(gateway.bank).postControl('/revoked-certificates', {
      serialNumber: qseal?.certificate.serialNumber,
    })
    await rejected('CERTIFICATE_REVOKED')
    await use('qseal', await certificates.qseal())
    expect((await askForConsent(gateway)).status).toBe(200)
  })
})

describe('old and new certificates', () => {
  const choose = async (bic: string, certificate: string | null) => {
    await gateway.context.database.pool.query('update banks set certificate = $2 where bic = $1', [bic, certificate])
    // Programs use a changed directory within five seconds.
    gateway.passWallTime(5)
  }
  const revoke = async (which: TppIdentity | undefined) => {
    for (const own of [which?.qwac, which?.qseal]) {
      await openSandboxBankControl(gateway.bank).postControl('/revoked-certificates', {
        serialNumber: own?.certificate.serialNumber,
      })
    }
  }

  test('overlap: each bank sees the pair that is chosen for it, in TLS and in signatures', async () => {
    const other = nordicBank('FJELNO22')
    const payer = openPaymentDriver(gateway)
    await choose(other.bic, 'next')
    // The other bank has learnt the new pair, and would not accept the old one any more.
    await revoke(gateway.context.certificates.byName.get(null))
    expect((await payer.order(other)).paymentId).toBeTruthy()
    expect((await askForConsent(gateway)).status).toBe(503)
    await choose('FJORNO22', 'next')
    expect((await askForConsent(gateway)).status).toBe(200)
    await revoke(gateway.context.certificates.byName.get('next'))
    await certificates.putNamed('next', { qwac: await certificates.qwac(), qseal: await certificates.qseal() })
    await gateway.context.certificates.look()
    expect((await askForConsent(gateway)).status).toBe(200)
  })

  test('a bank whose pair is not configured is not called, and nothing is held against it', async () => {
    await choose('FJORNO22', 'unknown')
    expect((await askForConsent(gateway)).status).toBe(503)
    expect(gateway.logLines().join('')).toContain('the certificate of a bank is not configured')
    await choose('FJORNO22', 'next')
    expect((await askForConsent(gateway)).status).toBe(200)
  })
})
