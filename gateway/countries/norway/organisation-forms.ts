/** Lists Norway's organisation forms by the codes of its Central Coordinating Register. */
import type { OrganisationForms } from '../country.ts'

/** Source: data.brreg.no/enhetsregisteret/api/organisasjonsformer. */
export const norwegianForms: OrganisationForms = {
  supported: ['AS', 'ASA', 'ENK', 'ANS', 'DA', 'KS', 'SA', 'BA', 'PRE', 'SE'],
  reviewed: [
    { kind: 'branch', codes: ['NUF', 'UTLA', 'EØFG', 'EOFG'] },
    { kind: 'foundation', codes: ['STI'] },
    { kind: 'public', codes: ['STAT', 'KOMM', 'FYLK', 'KIRK', 'SF', 'IKS', 'KF', 'FKF', 'SÆR', 'ADOS'] },
    { kind: 'financial', codes: ['SPA', 'GFS', 'PK', 'VPFO'] },
    { kind: 'unknown', codes: ['ANNA'] },
  ],
  excluded: [
    { kind: 'housing', codes: ['BRL', 'BBL', 'ESEK'] },
    { kind: 'association', codes: ['FLI'] },
    { kind: 'estate', codes: ['KBO', 'BO'] },
    { kind: 'part', codes: ['ORGL', 'BEDR', 'AAFY', 'OPMV', 'SAM', 'KTRF', 'IKJP', 'PERS', 'VIFE'] },
  ],
}
