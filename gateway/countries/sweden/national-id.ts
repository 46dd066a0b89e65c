/** Reads the birth date in Swedish personal identity numbers, which Swedish BankID reports in no other way. */
const NATIONAL_ID = /^(\d{4})(\d{2})(\d{2})\d{4}$/
/** In a coordination number, 60 is added to the day of birth. */
const COORDINATION_DAYS = 60

/** As an ISO date, which may not be in the calendar; null if the text has another format. */
export function birthDateOfSwedishId(nationalId: string): string | null {
  const [, year, month, day] = NATIONAL_ID.exec(nationalId) ?? []
  const dayOfBirth = Number(day) > COORDINATION_DAYS ? Number(day) - COORDINATION_DAYS : Number(day)
  return year === undefined ? null : `${year}-${month}-${String(dayOfBirth).padStart(2, '0')}`
}
