/** Tests which hours, margins and URLs of rates are accepted, and that errors name the setting. */
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const GATEWAY = {
  DATABASE_URL: 'postgres://havn@localhost/havn',
  HAVN_MASTER_KEY_FILE: 'master.key',
  HAVN_MODE: 'sandbox',
}
const read = (settings: Readonly<Record<string, string>>) => readConfig({ ...GATEWAY, ...settings })

describe('the exchange settings', () => {
  test('have defaults', () => {
    expect(read({})).toMatchObject({
      fxServiceHours: { opens: '06:00', closes: '22:00' },
      fxMarginPercent: '0',
      referenceRatesUrl: null,
    })
  })

  test.each(['08:00-16:00', '00:00-23:59'])('accept %s as hours', (hours) => {
    const [opens, closes] = hours.split('-')
    expect(read({ HAVN_FX_SERVICE_HOURS: hours }).fxServiceHours).toEqual({ opens, closes })
  })

  test.each([
    ['HAVN_FX_SERVICE_HOURS', '22:00-06:00'],
    ['HAVN_FX_SERVICE_HOURS', '06:00-06:00'],
    ['HAVN_FX_SERVICE_HOURS', '6-22'],
    ['HAVN_FX_SERVICE_HOURS', '06:00-24:00'],
    ['HAVN_FX_MARGIN_PERCENT', '10'],
    ['HAVN_FX_MARGIN_PERCENT', '-1'],
    ['HAVN_FX_MARGIN_PERCENT', '0,5'],
    ['HAVN_FX_MARGIN_PERCENT', '1e1'],
    ['HAVN_REFERENCE_RATES_URL', 'ftp://rates.example'],
  ])('reject %s=%s, and name the setting', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name)
  })
})
