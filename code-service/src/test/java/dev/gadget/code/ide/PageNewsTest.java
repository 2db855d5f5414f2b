package dev.gadget.code.ide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.SessionId;
import dev.gadget.model.ide.IdeEvent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("News for a page")
class PageNewsTest {
    private final AtomicLong clock = new AtomicLong();
    private final PageNews news = new PageNews(clock::get);

    @Test
    @DisplayName("what came in a pause is looked for again, also when the pause ends between the two questions")
    void endOfAPause() {
        var first = new IdeEvent.SessionChanged(SessionId.random(), false);
        var second = new IdeEvent.SessionChanged(SessionId.random(), false);
        PageNews.Added added = news.add(first);
        assertThat(added).isEqualTo(PageNews.Added.NOW);
        assertThat(news.next()).isEqualTo(first);
        assertThat(news.pauseMillis()).isPositive();
        assertThat(news.add(second)).isEqualTo(PageNews.Added.LATER);
        assertThat(news.next()).isNull();

        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(news.pauseMillis()).isEqualTo(1);
        assertThat(news.next()).isEqualTo(second);
    }

    @Test
    @DisplayName("nothing is looked for while nothing waits and there is no pause")
    void rest() {
        assertThat(news.next()).isNull();
        assertThat(news.pauseMillis()).isZero();
    }
}
