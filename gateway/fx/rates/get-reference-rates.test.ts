/** Tests which reference rates are used, how they are fetched, and that only a valid file of the ECB is accepted. */
import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { parseMoney } from '../../platform/money.ts'
import { freshDatabase } from '../../testing/database/fresh-database.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { parseRateFile, UnreadableRateFile } from './ecb-rate-file.ts'
import { convertAtRates, findReferenceRates, getReferenceRates } from './get-reference-rates.ts'
import { insertReferenceRates } from './reference-rate-store.ts'

const PUBLISHED: readonly (readonly [string, string])[] = Object.entries({
  USD: '1.0825',
  JPY: '164.45',
  BGN: '1.9558',
  CZK: '25.250',
  DKK: '7.4609',
  GBP: '0.83358',
  HUF: '404.68',
  PLN: '4.3478',
  RON: '4.9733',
  SEK: '11.4475',
  CHF: '0.9382',
  ISK: '149.10',
  NOK: '11.8195',
  TRY: '37.1180',
  AUD: '1.6311',
  BRL: '6.1420',
  CAD: '1.4989',
  CNY: '7.7123',
  HKD: '8.4110',
  IDR: '16978.90',
  ILS: '4.1062',
  INR: '91.0270',
  KRW: '1504.09',
}).filter(([currency]) => currency !== 'BGN')

/** In the format of the ECB's file. */
function fileOf(day: string, rates = PUBLISHED): string {
  const cubes = rates.map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${day}'>
${cubes.join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`
}

describe('the file of the European Central Bank', () => {
  test('is parsed with the digits that were published', () => {
    const { day, perEuro } = parseRateFile(fileOf('2024-10-25'))
    expect(day.toString()).toBe('2024-10-25')
    expect(perEuro).toEqual(Object.fromEntries(PUBLISHED))
    expect(perEuro['CZK']).toBe('25.250')
  })

  const sound = fileOf('2024-10-25')
  test.each([
    ['nothing', ''],
    ['an HTML page', '<html><body>Maintenance</body></html>'],
    ['half of the file', sound.slice(0, sound.length / 2)],
    ['two days', sound.replace('</Cube>\n\t</Cube>', "</Cube><Cube time='2024-10-24'></Cube>\n\t</Cube>")],
    ['a document type definition', sound.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>')],
    ['an invalid date', fileOf('2024-02-30')],
    ['a rate of nothing', sound.replace('1.0825', '0.0000')],
    ['a negative rate', sound.replace('1.0825', '-1.0825')],
    ['a rate with a comma', sound.replace('1.0825', '1,0825')],
    ['a rate with an exponent', sound.replace('1.0825', '1e3')],
    ['an unknown currency', sound.replace('USD', 'XQQ')],
    ['one currency twice', sound.replace('JPY', 'USD')],
    ['the euro itself', sound.replace('JPY', 'EUR')],
    ['too few of them', fileOf('2024-10-25', PUBLISHED.slice(0, 19))],
    ['no krone', sound.replace('NOK', 'MXN')],
    ['a megabyte', sound + ' '.repeat(1_000_000)],
  ])('is rejected when it contains %s', (_what, text) => {
    expect(() => parseRateFile(text)).toThrow(UnreadableRateFile)
  })

  test('is accepted or rejected after any change, and never misread', () => {
    fc.assert(
      fc.property(fc.nat(sound.length - 1), fc.string({ maxLength: 3 }), (at, put) => {
        try {
          const { perEuro } = parseRateFile(sound.slice(0, at) + put + sound.slice(at + 1))
          expect(Object.values(perEuro).every((rate) => Number(rate) > 0)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableRateFile)
        }
      }),
    )
  })
})

describe('the reference rates in use', () => {
  const money = (amount: string, currency: string) => parseMoney(amount, currency) ?? { minor: 0n, currency }
  const contextOf = (connectionString: string, mode: 'sandbox' | 'production', today: string) => {
    const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 1 })
    const clock = { today: () => Temporal.PlainDate.from(today) }
    return { database, context: { database, clock, config: { mode } } }
  }
  let connectionString: string
  let drop: () => Promise<void>
  beforeAll(async () => {
    const fresh = await freshDatabase()
    connectionString = fresh.connectionString
    drop = fresh.drop
  })
  afterAll(() => drop())

  async function within(
    mode: 'sandbox' | 'production',
    today: string,
    look: (context: Parameters<typeof getReferenceRates>[0]) => Promise<void>,
  ): Promise<void> {
    const { database, context } = contextOf(connectionString, mode, today)
    await look(context)
    await database.close()
  }

  test('in the sandbox are the shipped ones as today’s, with substitutes where the ECB publishes none', async () => {
    await within('sandbox', '2031-05-05', async (context) => {
      const rates = await getReferenceRates(context)
      expect(rates.day.toString()).toBe('2031-05-05')
      expect(convertAtRates(rates, money('10455.56', 'USD'), 'NOK')).toEqual(money('100000.02', 'NOK'))
      expect(convertAtRates(rates, money('1.00', 'EUR'), 'AED')).toEqual(money('4.14', 'AED'))
    })
  })

  test('in production are the shipped ones for five days, and then nothing is exchanged: SERVICE_CLOSED', async () => {
    await within('production', '2026-10-11', async (context) => {
      const rates = await getReferenceRates(context)
      expect(rates.day.toString()).toBe('2026-10-06')
      expect(await findReferenceRates(context)).toEqual(rates)
      expect(convertAtRates(rates, money('1.00', 'EUR'), 'AED')).toBeUndefined()
    })
    await within('production', '2026-10-12', async (context) => {
      await expect(getReferenceRates(context)).rejects.toMatchObject({ reasonCode: 'SERVICE_CLOSED' })
      expect(await findReferenceRates(context)).toBeUndefined()
    })
  })

  test('are fetched ones when those are newer', async () => {
    await within('production', '2026-11-24', async (context) => {
      await insertReferenceRates(
        context.database,
        parseRateFile(fileOf('2026-11-23')),
        Temporal.Instant.from('2026-11-23T16:00Z'),
      )
      expect(await getReferenceRates(context)).toMatchObject({ perEuro: { NOK: '11.8195', EUR: '1' } })
      expect((await getReferenceRates(context)).day.toString()).toBe('2026-11-23')
    })
  })
})

describe('fetching', () => {
  let bank: Server
  let answer: { status: number; text: string }
  let gateway: TestGateway
  beforeAll(async () => {
    bank = createServer((_request, response) => response.writeHead(answer.status).end(answer.text))
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
    const address = bank.address()
    const port = typeof address === 'object' ? address?.port : undefined
    gateway = await startTestGateway({
      settings: { HAVN_REFERENCE_RATES_URL: `http://127.0.0.1:${port}/eurofxref-daily.xml` },
    })
  })
  afterAll(async () => {
    await gateway.close()
    bank.close()
  })
  beforeEach(() => gateway.context.database.pool.query(`update fx_reference_fetches set due_at = '2020-01-01'`))

  const today = () => gateway.context.clock.real().toZonedDateTimeISO('Europe/Berlin').toPlainDate()
  const days = async () =>
    (await gateway.context.database.pool.query('select day::text from fx_reference_rates')).rows.map(({ day }) => day)
  const runs = async () => {
    const sweep = gateway.sweeps.find(({ name }) => name === 'reference rates')
    return [await sweep?.run(50), await sweep?.run(50)]
  }

  test('stores nothing of an invalid response, of no response, and of a day in the future', async () => {
    for (const wrong of [
      { status: 503, text: fileOf(today().toString()) },
      { status: 200, text: '<html></html>' },
      { status: 200, text: fileOf(today().add({ days: 2 }).toString()) },
    ]) {
      answer = wrong
      await gateway.context.database.pool.query(`update fx_reference_fetches set due_at = '2020-01-01'`)
      expect(await runs()).toEqual([1, 0])
      expect(await days()).toEqual([])
    }
    expect(gateway.logLines().filter((line) => line.includes('a row of a sweep failed'))).toHaveLength(1)
  })

  test('stores the rates of a day once, whichever worker is first', async () => {
    answer = { status: 200, text: fileOf(today().toString()) }
    expect(await runs()).toEqual([1, 0])
    expect(await days()).toEqual([today().toString()])
    expect((await getReferenceRates(gateway.context)).perEuro['NOK']).toBe('11.8195')
  })
})
