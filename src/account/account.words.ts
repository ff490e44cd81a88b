// All that the reference says of accounts.
import { joinWords } from '../docs/words'
import { chatWords } from './chat/chat.words'
import { onboardingWords } from './onboarding/onboarding.words'
import { invitesWords } from './organizations/invites.words'
import { organizationsWords } from './organizations/organizations.words'
import { projectsWords } from './organizations/projects.words'
import { profileWords } from './profile/profile.words'
import { pushTokensWords } from './push-tokens.words'
import { sessionsWords } from './sessions/sessions.words'
import { signInWords } from './sign-in/sign-in.words'
import { twoFactorWords } from './two-factor/two-factor.words'
import { userWords } from './user.words'

export const accountWords = joinWords([
  userWords,
  profileWords,
  signInWords,
  sessionsWords,
  twoFactorWords,
  onboardingWords,
  pushTokensWords,
  chatWords,
  organizationsWords,
  projectsWords,
  invitesWords,
])
