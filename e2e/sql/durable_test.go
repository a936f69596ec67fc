package sql_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/elector/sqllock"
)

// TestDurable: where the database does not wait for its disk, each change of the row does. Otherwise a crash forgets a term whose
// token was told, and the next leader gets that token too. A deferred trigger sees the setting that the commit has.
func TestDurable(t *testing.T) {
	for setting, want := range map[string]string{"off": "on", "local": "on", "remote_apply": "remote_apply"} {
		t.Run(setting, func(t *testing.T) {
			w := newWorld(t, kind{"postgres", sqllock.PostgreSQL, postgresWith(url.Values{"synchronous_commit": {setting}})})
			l := w.lock("a")
			require.NoError(t, l.CreateTable(t.Context()))
			w.exec(`CREATE FUNCTION pg_temp.check_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				IF current_setting('synchronous_commit') <> '` + want + `' THEN
					RAISE EXCEPTION 'the commit has %', current_setting('synchronous_commit');
				END IF;
				RETURN NULL;
			END $$`)
			w.exec(`CREATE CONSTRAINT TRIGGER durable AFTER INSERT OR UPDATE ON %s DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION pg_temp.check_commit()`)
			created, err := l.Create(t.Context())
			require.NoError(t, err)
			_, err = l.Refresh(t.Context())
			require.NoError(t, err)
			require.NoError(t, l.Release(t.Context()))
			taken, err := l.Replace(t.Context())
			require.NoError(t, err)
			require.Equal(t, created.Token+1, taken.Token)
			require.NoError(t, l.Advance(t.Context()))
			var after string
			require.NoError(t, w.db.QueryRowContext(t.Context(), "SHOW synchronous_commit").Scan(&after))
			require.Equal(t, setting, after)
		})
	}
}
