/** Lists Denmark's organisation forms by their usual abbreviations. */
import type { OrganisationForms } from '../country.ts'

/** A connection to the registry must translate its codes to these abbreviations. */
export const danishForms: OrganisationForms = {
  supported: ['APS', 'A/S', 'IVS', 'ENK', 'PMV', 'I/S', 'K/S', 'P/S', 'AMBA', 'SMBA', 'SE'],
  reviewed: [
    { kind: 'branch', codes: ['FIL'] },
    { kind: 'foundation', codes: ['FON', 'ERF'] },
    { kind: 'public', codes: ['STAT', 'REG', 'KOM'] },
  ],
  excluded: [
    { kind: 'housing', codes: ['AND'] },
    { kind: 'association', codes: ['FOR', 'FFO', 'FMBA'] },
    { kind: 'estate', codes: ['DBO', 'KBO'] },
  ],
}
