// For staff: looking at the service as somebody else.
import type { FC } from 'hono/jsx'
import { Card, Field, type PageNotice, Post } from '../../pages/layout'

export const SupportSection: FC<{ csrf: string; notice: PageNotice | null }> = ({ csrf, notice }) => (
  <Card
    id="support"
    title="Look as another user"
    about="For two hours, or until half an hour has passed without a request. It does not show among the user's sessions."
    notice={notice}
  >
    <Post csrf={csrf} to="/admin/login/user/#support">
      <div class="pair">
        <Field label="Email of the user" name="user" type="email" required autocomplete="off" />
        <Field label="Reason" name="reason" required maxlength={500} autocomplete="off" />
      </div>
      <label class="choice">
        <input type="checkbox" name="read_only" value="true" checked />
        Look only, change nothing
      </label>
      <button class="quiet" type="submit">
        Start
      </button>
    </Post>
  </Card>
)
