/** Lists the data of a release that have grown old: banks merge, and codes change, faster than tables follow. */
import holidays from '../../data/bank-holidays.json' with { type: 'json' }
import requirements from '../../data/country-requirements.json' with { type: 'json' }
import currencies from '../../data/currency-scale.json' with { type: 'json' }
import ibans from '../../data/iban-registry.json' with { type: 'json' }
import nordicBanks from '../../data/nordic-banks.json' with { type: 'json' }
import purposes from '../../data/purpose-codes.json' with { type: 'json' }
import reporting from '../../data/regulatory-codes.json' with { type: 'json' }
import sepa from '../../data/sepa-countries.json' with { type: 'json' }
import clearing from '../../data/swedish-clearing.json' with { type: 'json' }

/** Data that are older than this may lack banks and codes. */
export const DATA_MONTHS_MAX = 18

/** The month of which data are, by subject, by file in `data/`. */
const monthsByFile: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'bank-holidays.json': holidays.asOf,
  'country-requirements.json': requirements.asOf,
  'currency-scale.json': currencies.asOf,
  'iban-registry.json': ibans.asOf,
  'nordic-banks.json': nordicBanks.asOf,
  'purpose-codes.json': purposes.asOf,
  'regulatory-codes.json': reporting.asOf,
  'sepa-countries.json': sepa.asOf,
  'swedish-clearing.json': clearing.asOf,
}

/** A subject of a data file, and the month of which its data are. */
export type DatedData = {
  readonly file: string
  readonly subject: string
  readonly month: Temporal.PlainYearMonth
}

/** The data of the release that are older than 18 months on a day. */
export function listOldData(today: Temporal.PlainDate): readonly DatedData[] {
  const oldest = today.toPlainYearMonth().subtract({ months: DATA_MONTHS_MAX })
  return listDatedData().filter(({ month }) => Temporal.PlainYearMonth.compare(month, oldest) < 0)
}

export function listDatedData(): readonly DatedData[] {
  return Object.entries(monthsByFile).flatMap(([file, monthBySubject]) =>
    Object.entries(monthBySubject).map(([subject, month]) => ({
      file,
      subject,
      month: Temporal.PlainYearMonth.from(month),
    })),
  )
}

/** As text for operators: `Danish registration numbers (2024-07)`. */
export function describeDatedData({ subject, month }: DatedData): string {
  return `${subject} (${month.toString()})`
}
