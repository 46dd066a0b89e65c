/** Tests the banks of the console: health as calls fail, profiles, disabled banks, and the expiry of our certificates. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { type TestCertificates, testCertificates, validFor } from '../../gateway/testing/gateway/test-certificates.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

const BIC = 'FJORNO22'

let gateway: TestGateway
let certificates: TestCertificates
beforeAll(async () => {
  certificates = await testCertificates()
  await certificates.put('qwac', await certificates.qwac({ validity: validFor(12) }))
  gateway = await startTestGateway(certificates)
})
afterAll(async () => {
  await gateway.close()
  await certificates.remove()
})

const open = async (path: string) => await (await signInAs(gateway, 'operator-reader')).open(path)

it('the health of a bank is shown as its calls fail', async () => {
  expect(textOf(await open('/console/banks'))).toMatch(/Fjordbanken FJORNO22 NO \S+ Operational/)
  for (let call = 0; call < 4; call += 1) {
    await gateway.context.banks.recordCall({ bank: BIC, operation: 'initiatePayment', outcome: 'failed' })
  }
  expect(textOf(await open('/console/banks'))).toMatch(
    /Fjordbanken FJORNO22 NO \S+ (Degraded|Down) \d{2}\.\d{2}\.\d{4}/,
  )
  expect(textOf(await open(`/console/banks/${BIC}`))).toMatch(
    /(Degraded|Down) .* 4 initiations in a row have failed since \d.* No call is paused/,
  )
  await gateway.context.banks.resetFailures()
})

it('a bank shows how many calls of a day it answered, and how quickly', async () => {
  const { pool } = gateway.context.database
  await pool.query('delete from bank_call_counts')
  expect(textOf(await open(`/console/banks/${BIC}`))).toContain('There was no call.')
  await pool.query(
    `insert into bank_call_counts select $1, date_trunc('hour', now()) - hours * interval '1 hour', outcome, bucket, calls
     from (values (0, 'answered', 50, 90), (1, 'answered', 75, 9), (2, 'failed', 99, 1), (26, 'failed', 10, 9)) as v (hours, outcome, bucket, calls)`,
    [BIC],
  )
  const shown = async (path: string) => textOf(await open(path)).replaceAll('\u00a0', ' ')
  expect(await shown(`/console/banks/${BIC}`)).toMatch(
    /Calls 100 Answered 99 % Half are answered within 111,9 ms 95 % are answered within 1,21 s/,
  )
  await pool.query(
    `insert into bank_call_counts values ('HAVBNO22', date_trunc('hour', now()), 'failed', 1, 1),
       ('FJELNO22', date_trunc('hour', now()), 'answered', 10, 1)`,
  )
  expect(await shown('/console/banks')).toMatch(/Operational 1 100 % 2,5 ms .* 99 100 % 1,21 s .* Operational 1 0 %/)
  const overview = await shown('/console')
  expect(overview).toContain('99 % of 101 calls to banks in the last two hours were answered')
  expect(overview).toContain('– for 95 of 100 answers of Havbanken, the slowest bank')
})

it('a bank shows its directory entry and its profile', async () => {
  const text = textOf(await open(`/console/banks/${BIC}`))
  expect(text).toMatch(/Connector berlin-group .*Profile .*Products PAYMENT_DOMESTIC /)
  expect(text.replaceAll('\u00a0', ' ')).toMatch(
    /Cancellation of an order With a signature, once the order is signed .*Cut-off 14:00 Amount, at most not set /,
  )
  expect((await open('/console/banks/UNKNOWN1')).status).toBe(404)
})

it('a disabled bank is listed as such, and shows no profile', async () => {
  const { pool } = gateway.context.database
  await pool.query(
    `insert into banks select 'DISABLED', 'Closed Bank', country_code, connector, profile, address, link_hosts, false
     from banks where bic = $1`,
    [BIC],
  )
  expect(textOf(await open('/console/banks'))).toMatch(/Closed Bank DISABLED NO \S+ disabled/)
  expect(textOf(await open('/console/banks/DISABLED'))).toContain('This bank is not served')
})

it('a certificate that expires soon has a warning', async () => {
  const text = textOf(await open('/console/banks'))
  expect(text).toMatch(/QWAC PSD\S+ [A-Z_ ]+ \S+ \S+ The QWAC expires in 1[12] days: request a new one QSEAL/)
  expect(text).not.toContain('The QSEAL expires')
})
