import type { FC } from 'hono/jsx'
import type { Profile } from '../users/user-record'
import { Card, Field, type PageNotice, Post } from '../../pages/layout'

interface Props {
  csrf: string
  notice: PageNotice | null
  profile: Profile
}

export const ProfileSection: FC<Props> = ({ csrf, notice, profile }) => {
  const rejected = notice?.section === 'profile' ? notice.values : undefined
  return (
    <Card id="profile" title="Profile" notice={notice}>
      <Post csrf={csrf} to="/settings/profile#profile">
        <div class="pair">
          <Field
            label="First name"
            name="first_name"
            value={rejected?.get('first_name') ?? profile.firstName}
            maxlength={150}
            autocomplete="given-name"
          />
          <Field
            label="Last name"
            name="last_name"
            value={rejected?.get('last_name') ?? profile.lastName}
            maxlength={150}
            autocomplete="family-name"
          />
        </div>
        <Field
          label="Email"
          name="email"
          type="email"
          value={rejected?.get('email') ?? profile.email}
          required
          autocomplete="email"
        />
        <button class="quiet" type="submit">
          Save profile
        </button>
      </Post>
    </Card>
  )
}

export const PasswordSection: FC<Props> = ({ csrf, notice, profile }) => (
  <Card
    id="password-section"
    title="Password"
    about="A new password signs all other browsers out."
    notice={notice}
  >
    <Post csrf={csrf} to="/settings/password#password-section">
      {/* Password managers look for the account that a password belongs to. */}
      <input type="text" name="username" value={profile.email} autocomplete="username" hidden />
      <div class="pair">
        {profile.hasPassword ? (
          <Field
            label="Current password"
            name="current_password"
            type="password"
            required
            autocomplete="current-password"
          />
        ) : null}
        <Field
          label="New password"
          name="password"
          type="password"
          required
          autocomplete="new-password"
          hint="At least 8 characters, and hard to guess."
        />
      </div>
      <button class="quiet" type="submit">
        Change password
      </button>
    </Post>
  </Card>
)
