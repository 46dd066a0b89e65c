/** Lists Sweden's organisation forms by the codes of Bolagsverket. */
import type { OrganisationForms } from '../country.ts'

export const swedishForms: OrganisationForms = {
  supported: ['AB', 'E', 'HB', 'KB', 'EK', 'SE'],
  reviewed: [
    { kind: 'branch', codes: ['FL'] },
    { kind: 'foundation', codes: ['S'] },
    { kind: 'financial', codes: ['BAB', 'FAB', 'MB', 'SB', 'OFB'] },
  ],
  excluded: [
    { kind: 'housing', codes: ['BRF', 'BF', 'KHF'] },
    { kind: 'association', codes: ['I', 'SF'] },
    { kind: 'estate', codes: ['DB', 'KBO'] },
  ],
}
