/** Tests that a bank's name of an organisation is recognised however it is written, and other names are not. */
import { describe, expect, test } from 'vitest'
import { isNameOfOrganisation } from './organisation-name.ts'

const LONG = 'Nordisk Handelsselskab for Import og Eksport af Maskiner A/S'

describe('the name of an organisation', () => {
  test.each([
    ['Berg & Dal AS', 'BERG OG DAL AS'],
    ['Berg & Dal AS', 'Berg och Dal A/S'],
    ['Berg & Dal AS', 'AS Berg & Dal'],
    ['Berg & Dal AS', 'A.S. BERG&DAL'],
    ['Berg & Dal AS', 'Berg+Dal Aksjeselskap'],
    ['Berg & Dal AS', 'berg-dal'],
    ['Berg & Dal AS', 'Berg Dal, AS'],
    ['Berg & Dal AS', 'Berg & Dal AS\u200b'],
    ['Berg & Dal AS', '\ufeffBerg\u00a0&\u00a0Dal\u2009AS \u00ad'],
    ['Berg & Dal AS', 'Berg\u00ad & D\u200bal A S'],
    ['Bjørn Bygg AS', 'BJORN BYGG AS'],
    ['Bjørn Bygg AS', 'BJOERN BYGG AS'],
    ['Bjoern Bygg AS', 'BJORN BYGG'],
    ['Bjørn Bygg AS', 'Bjo\u0308rn Bygg AS'],
    ['Ærø Ålesund Råe ApS', 'AERO AALESUND RAAE APS'],
    ['Ærø Ålesund Råe ApS', 'Aeroe Alesund Rae Anpartsselskab'],
    ['Håkansson Ölands Äpplen AB', 'HAKANSSON OLANDS APPLEN AKTIEBOLAG'],
    ['Håkansson Ölands Äpplen AB', 'AB Haakansson Oelands Aepplen (publ)'],
    ['Groß & Söhne AB', 'GROSS AND SOEHNE AB'],
    ['Þór Café AS', 'THOR CAFE AS'],
    ['Mäki ja Pojat Oy', 'Oy Mäki & Pojat Ab'],
    ['Mäki Oyj', 'MAKI ABP'],
    ['Berg Handelsbolag', 'HB Berg'],
    ['Berg Kommanditbolag', 'Berg KB'],
    ['Berg Ek. för.', 'Berg ekonomisk förening'],
    ['Berg og Dal ANS', 'ANSVARLIG SELSKAP BERG OG DAL'],
    ['Berg DA', 'Berg selskap med delt ansvar'],
    ['Berg I/S', 'Berg Interessentskab'],
    ['Mejeri A.m.b.a.', 'Mejeri AmbA'],
    ['Berg AB NUF', 'Berg AB'],
    ['Acme Limited NUF', 'ACME LTD'],
    ['Stiftelsen Berg', 'BERG STIFTELSE'],
    ['Tmi Berg', 'T:mi Berg'],
    ['Berg & Dal AS', 'Berg o Dal A. S.'],
    ['Aktiebolaget Volvo', 'VOLVO AB (PUBL)'],
    ['Ørsted Ålesund Ærø Nærøyfjord Kjøtt og Kål AS', 'Ørsted Ålesund Ærø Nærøyfjor'],
    ['Kari Nordmann ENK', 'NORDMANN, KARI'],
    ['Kari Anne Berg Nordmann', 'Nordmann Kari Anne Berg'],
    ['Nordmann Kari', 'Kari Nordmann enkeltpersonforetak'],
    ["O'Brien Consulting AS", 'O’BRIEN CONSULTING AS'],
    ['AS', 'AS'],
    [LONG, LONG.slice(0, 35)],
    [LONG, LONG.toUpperCase().slice(0, 32)],
    [LONG, `${LONG.slice(0, 35)} \u200b`],
    [LONG, `A/S ${LONG}`.slice(0, 35)],
    [`${'N'.repeat(33)} og Sønner AS`, `${'N'.repeat(33)} O`],
    ['Vestlandske Maskinentreprenørene & Co. AS', 'VESTLANDSKE MASKINENTREPRENORENE OG CO AS'.slice(0, 34)],
    [`${'Nordlys '.repeat(20)}AS`, 'NORDLYS '.repeat(20).slice(0, 70)],
    [`${'Nordlys '.repeat(20)}AS`, 'NORDLYS '.repeat(20).slice(0, 140)],
    ['Trondheim Maskinentreprenører og Sønner AS', 'TRONDHEIM MASKINENTREPRENOERER OG SONNER AS'.slice(0, 35)],
    ['Berg AS', ''],
    ['Berg AS', ' - \u200b'],
  ])('%s is reported as %j', (registered, reported) => {
    expect(isNameOfOrganisation(registered, reported)).toBe(true)
  })

  test.each([
    ['Berg AS', 'Berg ASA'],
    ['Berg AS', 'Berg ANS'],
    ['Berg AS', 'Berg Holding AS'],
    ['Berg AS', 'Bergen AS'],
    ['Berg AS', 'B AS'],
    ['Berg AB', 'Berg HB'],
    ['Oslo Bygg AS', 'Bygg Oslo AS'],
    ['Kari Nordmann ENK', 'Ola Nordmann'],
    ['Berg AS', 'AS'],
    [LONG, LONG.slice(0, 33)],
    [LONG, LONG.slice(0, 20)],
    [LONG, 'Nordisk Handelsselskab for Eksport og'.slice(0, 35)],
    ['Handelsselskab', 'Handelsselskab for Import og Eksport'.slice(0, 35)],
    ['Berg AS', 'Кари AS'],
    ['Berg AS', 'JA'],
    ['Berg AS', 'O. (publ)'],
  ])('%s is not %j', (registered, reported) => {
    expect(isNameOfOrganisation(registered, reported)).toBe(false)
  })
})
