/** Until when an order must be with the bank to be carried out on a day, by country and rail. */
import { addBankDays } from './bank-days.ts'
import type { CalendarName } from './closing-days.ts'

/** Ways of payment that have a cut-off of their own. */
export type Rail = 'domestic' | 'bankgiro' | 'salary' | 'same-day' | 'express' | 'foreign'
type CutOff = { readonly localTime: string; readonly bankDaysBefore: number }
type Country = Exclude<CalendarName, 'TARGET'>

/**
 * What banks publish, in local time; a bank's own profile goes before it. NO: SpareBank 1. SE: Bankgirot. DK: Nordea
 * (2020). FI: Nordea. `domestic` stands for a plain transfer; NO and SE publish none, so there it is the sandbox's.
 */
const cutOffs: Readonly<Record<Country, Partial<Readonly<Record<Rail, CutOff>>>>> = {
  NO: {
    domestic: { localTime: '14:00', bankDaysBefore: 0 },
    foreign: { localTime: '14:00', bankDaysBefore: 0 },
  },
  SE: {
    domestic: { localTime: '14:00', bankDaysBefore: 0 },
    bankgiro: { localTime: '19:00', bankDaysBefore: 1 },
    salary: { localTime: '19:00', bankDaysBefore: 2 },
  },
  DK: {
    domestic: { localTime: '18:00', bankDaysBefore: 1 },
    'same-day': { localTime: '12:00', bankDaysBefore: 0 },
    salary: { localTime: '18:00', bankDaysBefore: 1 },
  },
  FI: {
    domestic: { localTime: '18:30', bankDaysBefore: 0 },
    'same-day': { localTime: '13:00', bankDaysBefore: 0 },
    salary: { localTime: '18:30', bankDaysBefore: 0 },
    express: { localTime: '15:30', bankDaysBefore: 0 },
    foreign: { localTime: '16:00', bankDaysBefore: 0 },
  },
}

/** The last moment, in local time, for execution on a bank day; undefined where none is published. */
export function cutOffFor(
  country: Country,
  rail: Rail,
  executionDay: Temporal.PlainDate,
): Temporal.PlainDateTime | undefined {
  const cutOff = cutOffs[country][rail]
  if (cutOff === undefined) {
    return undefined
  }
  const day = cutOff.bankDaysBefore === 0 ? executionDay : addBankDays([country], executionDay, -cutOff.bankDaysBefore)
  return day.toPlainDateTime(cutOff.localTime)
}
