class Half
  def before
    1
  end

  def typing(name)
    x = name.
  end

  def after
    before
  end

  def open(a, {

  def last
    after
  end
end

class Next
  def still
    Half.new.after(
  end
end
